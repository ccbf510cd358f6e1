import { isObject } from '#contract/is-object.ts'
import { openOnlyField } from '../../custom-sources/server/read-body.ts'
import { findOutboundCall } from './outbound-call.ts'
import { saysEvent } from './parse-body.ts'
import { findProviderTest } from './provider-test.ts'

/** Returns why a body of a source makes no lead: it is a test, a call that was made, or takes something back; null if it may make one. */
export const findNoLead = (body: unknown): string | null =>
  findProviderTest(body) ?? findOutboundCall(body) ?? (isCancellation(body) ? 'A cancellation' : null)

function isCancellation(body: unknown): boolean {
  const opened = openOnlyField(body)
  const isAcuitys = isObject(opened) && Object.hasOwn(opened, 'appointmentTypeID')
  return saysEvent(opened, canceled) || (isAcuitys && opened.action === 'canceled')
}

/** Calendly's `invitee.canceled`. A call that was canceled is a missed one. */
const canceled = /^(?!call)[a-z]+(?:[._][a-z]+)*[._]cancell?ed$/i
