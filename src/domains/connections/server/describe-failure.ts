import { CallRailError } from '#integrations/callrail/api.ts'
import { GoogleApiError, GrantRevokedError } from '#integrations/google/errors.ts'
import { LegacyError } from '#integrations/legacy/legacy-server.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import { UnexpectedAnswerError } from '#integrations/outbound/parse-answer.ts'
import { CircuitOpenError, UpstreamStatusError } from '#integrations/outbound/upstream.ts'
import type { ConnectionOutcome } from './record-use.ts'

/** Returns what became of an attempt that threw, in the service's own words. Throws an error that is no service's. */
export function describeFailure(
  error: unknown,
  service = 'The service',
): Exclude<ConnectionOutcome, { state: 'works' }> {
  if (error instanceof CallRailError)
    return { state: error.kind === 'refused' ? 'refused' : 'unreachable', says: error.message }
  if (error instanceof LegacyError) {
    const says = error.words === null ? error.message : `The old system says: ${error.words}`
    return { state: error.isRefusal ? 'refused' : 'unreachable', says }
  }
  if (error instanceof GoogleApiError || error instanceof GrantRevokedError)
    return { state: 'refused', says: `Google says: ${error.message.replace(/^Google says:? /, '')}` }
  if (error instanceof OutboundError)
    return { state: 'unreachable', says: `${service} cannot be reached: ${error.message}` }
  if (
    error instanceof UnexpectedAnswerError ||
    error instanceof UpstreamStatusError ||
    error instanceof CircuitOpenError
  )
    return { state: 'unreachable', says: error.message }
  throw error
}
