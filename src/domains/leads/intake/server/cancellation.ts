import { isObject } from '#contract/is-object.ts'
import { toText } from '../../custom-sources/body-paths.ts'
import { openOnlyField } from '../../custom-sources/server/read-body.ts'
import { getOwnField } from './parse-body.ts'

/** Returns that an event takes something back, such as Calendly's `invitee.canceled`, as the reason why it makes no lead; null if not. */
export function findCancellation(body: unknown): string | null {
  const opened = openOnlyField(body)
  if (!isObject(opened)) return null
  return eventKeys.some((key) => canceled.test(toText(getOwnField(opened, key)) ?? '')) ? 'A cancellation' : null
}

const eventKeys = ['event', 'type', 'event_type', 'eventType', 'trigger', 'triggerEvent', 'trigger_event']
/** A call that was canceled is a missed one. */
const canceled = /^(?!call)[a-z]+(?:[._][a-z]+)*[._]cancell?ed$/i
