import { isDatabaseUnavailable } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { ReceivedEvent } from './inbox.ts'
import type { SenderClaim } from './known-senders.ts'
import { verifySender } from './verify-signature.ts'

type SentEvent = Pick<ReceivedEvent, 'headers' | 'body'>

/**
 * Resolves when the event is on disk: in the inbox, or in the journal while the database is down or silent. Returns false if the
 * sender's proof is wrong.
 */
export async function receiveEvent(context: AppContext, claim: SenderClaim, event: SentEvent): Promise<boolean> {
  const { hookJournal } = context
  if (!hookJournal.isIdle) return keepEvent(context, claim, event)
  const stored = storeEvent(context, claim, event)
  try {
    return await (hookJournal.files ? rejectIfSilent(stored, hookJournal.patienceMs) : stored)
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !(error instanceof SilentDatabaseError)) throw error
    return keepEvent(context, claim, event)
  }
}

async function storeEvent(context: AppContext, claim: SenderClaim, event: SentEvent): Promise<boolean> {
  const proof = await verifySender(context, claim, event.body)
  if (!proof.proven) return false
  const { siteId, sourceId } = proof
  await context.inbox.store({
    provider: claim.provider,
    clientsite_id: siteId,
    ...(sourceId === undefined ? {} : { source_id: sourceId }),
    ...event,
  })
  return true
}

class SilentDatabaseError extends Error {}

/** An event that the database stores later after all is in the inbox twice, which makes one lead. */
async function rejectIfSilent<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  const silence = Promise.withResolvers<never>()
  const timer = setTimeout(() => silence.reject(new SilentDatabaseError('The database does not respond')), milliseconds)
  try {
    return await Promise.race([work, silence.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Keeps an event in the journal. The claim of an unknown sender is kept too, and verified when the database is back. */
async function keepEvent(context: AppContext, claim: SenderClaim, { headers, body }: SentEvent): Promise<boolean> {
  const { hookJournal } = context
  const proof = await verifySender(context, claim, body, hookJournal.senders)
  if (!proof.proven && proof.isKnown) return false
  await hookJournal.keep({
    provider: claim.provider,
    headers,
    body: body.toString('base64'),
    received_at: new Date().toISOString(),
    ...(proof.proven ? { clientsite_id: proof.siteId } : { clientsite_id: null, claim }),
    ...(proof.proven && proof.sourceId !== undefined ? { source_id: proof.sourceId } : {}),
  })
  return true
}
