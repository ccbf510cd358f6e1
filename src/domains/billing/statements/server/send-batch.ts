import { eq } from 'drizzle-orm'
import { runTransaction } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { readBillingRecipients } from '#domains/clients/public.ts'
import { statementMessages } from '../labels.ts'
import { type BilledCampaign, readBilledCampaigns } from './billed-campaigns.ts'
import { readEndedStatements, type StatementFilters } from './queries.ts'
import { type StatementSender, sendStatement } from './send-statement.ts'

/** Cycles whose last day is `cycle_ends_from` or later, and before `cycle_ends_before`. */
type StatementBatch = Omit<StatementFilters, 'state'> & { mail?: 0 | 1 | undefined }
type ReadingSender = Pick<StatementSender, 'me' | 'zone' | 'context'>

/** Returns what a batch would send now, to which addresses, and what it would refuse. Cycles without lines are left out. */
export async function readBatch({ me, zone, context: { db } }: ReadingSender, { mail, ...filters }: StatementBatch) {
  const statements = (await readEndedStatements(db, { me, zone }, filters)).filter(({ lines }) => lines.length > 0)
  const clientIds = statements.map(({ campaign }) => campaign.client.id)
  const known = mail ? await readBillingRecipients(db, clientIds) : new Map<number, string[]>()
  return statements.map(({ campaign, ...statement }) => {
    const recipients = known.get(campaign.client.id) ?? []
    return {
      ...statement,
      campaign,
      recipients,
      reason: refuseInBatch(campaign, mail === 1 && recipients.length === 0),
    }
  })
}

/** Returns why a batch leaves a campaign out; null if it does not. One by one, the last statement of a client who is off can be sent. */
function refuseInBatch({ client }: BilledCampaign, hasNoAddress: boolean): string | null {
  if (client.removedAt) return 'The client was removed'
  if (client.isOff) return 'The client is switched off'
  return hasNoAddress ? 'The client has no billing email' : null
}

/** Sends each statement of a batch in a transaction of its own: one that is refused stops none, and one that another call sends at the same time is left to it. */
export async function sendBatch(sender: StatementSender, batch: StatementBatch) {
  const { db } = sender.context
  const sent: { id: number; number: string }[] = []
  const refused: { id: number; reason: string }[] = []
  for (const { id, campaign, reason } of await readBatch(sender, batch)) {
    if (reason !== null) {
      refused.push({ id, reason })
      continue
    }
    try {
      const made = await runTransaction(db, async (tx) => {
        // Between the list and this transaction the client may have been switched off.
        const [now] = await readBilledCampaigns(tx, eq(campaignsTable.id, campaign.id))
        const changed = now ? refuseInBatch(now, false) : null
        if (changed !== null) throw new HttpError(409, changed)
        return sendStatement(tx, sender, id, { mail: batch.mail ?? 0 })
      })
      sent.push({ id, number: made.number ?? '' })
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      if (error.message !== statementMessages.sentAlready) refused.push({ id, reason: error.message })
    }
  }
  return { sent, refused }
}
