import { isOutbound } from '#domains/leads/model/provider-words.ts'
import { toText } from '../../custom-sources/body-paths.ts'
import { openListOfOne, openOnlyField } from '../../custom-sources/server/read-body.ts'
import { getOwnField, isBodyObject, wrapperKeys } from './parse-body.ts'

export const outboundReason = 'An outbound call'

const directionKey = /^(?:call_?)?direction$/i
/** A form may ask for a direction too: beside that of a call stands whose numbers it connects, how long, or its id. */
const callKey = /^(?:from|to|caller|callee|duration)$|call|sid$/i

/** Returns that a telephone system reports a call or text that was made, as the reason why it makes no lead; null if it is none. */
export function findOutboundCall(body: unknown): string | null {
  return isOutboundCall(openOnlyField(body)) ? outboundReason : null
}

function isOutboundCall(body: unknown, depth = 0): boolean {
  if (!isBodyObject(body)) return false
  const keys = Object.keys(body)
  const direction = keys.find((key) => directionKey.test(key))
  if (direction !== undefined)
    return isOutbound(toText(body[direction]) ?? '') && keys.some((key) => key !== direction && callKey.test(key))
  return (
    depth < maxWrappers && wrapperKeys.some((key) => isOutboundCall(openListOfOne(getOwnField(body, key)), depth + 1))
  )
}
const maxWrappers = 3
