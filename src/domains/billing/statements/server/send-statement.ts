import { eq } from 'drizzle-orm'
import { addDays, getToday } from '#contract/days.ts'
import type { BeforeJson } from '#contract/instants.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, notFoundError, validationError } from '#core/http/errors.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { readAgency } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { canManageBilling } from '#domains/campaigns/terms/contract.ts'
import { dedupeAddresses, readBillingRecipients } from '#domains/clients/public.ts'
import { recordWebhookEvents } from '#domains/webhooks/public.ts'
import { parseStatementId, toStatementId } from '../contract.ts'
import { statementMessages } from '../labels.ts'
import type { ListedStatement } from '../list/contract.ts'
import { statementLinesTable, statementsTable } from '../schema.ts'
import { type BilledCampaign, readBilledCampaigns, type StatementReader } from './billed-campaigns.ts'
import { readLineFacts } from './document.ts'
import { queueStatementEmails } from './mail-statement.ts'
import { toStatements } from './queries.ts'
import type { LedgerStatement } from './read-ledgers.ts'
import { readCampaignCycles, readLedgers } from './read-ledgers.ts'
import { buildStatementUrl, createStatementKey } from './statement-keys.ts'
import { numberSentStatements, takeNextOrdinal } from './statement-numbers.ts'

const maxInsertedLines = 1000
export const statementAuditKind = 'statement'

export type StatementSender = StatementReader & { actor: AuditActor; context: AppContext }
/** `to` instead of the client's billing emails. */
type Delivery = { mail: 0 | 1; to?: string[] | undefined }

/**
 * Freezes a statement with its terms, its lines and its names, and gives it its number and its link. Sends of one campaign take turns, and
 * so do all from the number on; the keys of the tables reject duplicates. A send that dies leaves nothing, so it can be repeated safely.
 */
export async function sendStatement(tx: Tx, sender: StatementSender, id: number, { mail, to }: Delivery) {
  const { me, zone, actor, context } = sender
  const ledger = await lockEndedStatement(tx, sender, id)
  const recipients = mail ? await findRecipients(tx, ledger.campaign.client.id, to) : []
  await numberSentStatements(tx, zone)
  await storeStatement(tx, sender, ledger, me.id)
  const { key } = await createStatementKey(tx, context.secrets, id)
  if (mail) await queueStatementEmails(tx, context, id, recipients)
  const [sent] = await toStatements(tx, sender, [
    { ...ledger, sent: { client: ledger.campaign.client, isOpened: false, isPaid: false } },
  ])
  await announceSentStatement(tx, actor, sent!, recipients)
  return { ...sent!, key, url: buildStatementUrl(context.settings.PUBLIC_URL, key) }
}

async function lockEndedStatement(tx: Tx, { me, zone }: StatementReader, id: number) {
  const { campaignId, from } = parseStatementId(id)
  await requireCampaign(tx, me, campaignId, { lock: 'no key update' })
  const [found] = await readCampaignCycles(tx, await readBilledCampaigns(tx, eq(campaignsTable.id, campaignId)), zone)
  const cycle = found?.cycles.find((one) => one.from === from)
  if (!found || !cycle) throw notFoundError()
  if (cycle.sent) throw conflictError(statementMessages.sentAlready)
  if (cycle.to >= getToday(zone)) throw conflictError('The cycle of this statement has not ended')
  const [ledger] = await readLedgers(tx, [{ ...found, wanted: new Set([from]) }], zone)
  return ledger!
}

/** Returns who gets the email. Throws if no address is known, or if the client was removed: their links are closed. */
export async function findRecipients(tx: Tx, clientId: number, to: string[] | undefined) {
  const known = (await readBillingRecipients(tx, [clientId])).get(clientId)
  if (!known) throw conflictError(statementMessages.removedClient)
  if (to) return dedupeAddresses(to)
  if (known.length === 0) throw validationError({ to: ['This client has no billing email: enter one'] })
  return known
}

async function storeStatement(
  tx: Tx,
  { zone, context }: StatementSender,
  { campaign, from, to, terms, lines }: LedgerStatement<BilledCampaign>,
  sentBy: number,
) {
  const key = { campaign_id: campaign.id, from_day: from }
  const agency = await readAgency(tx, context.settings)
  const sentAt = new Date() // under the lock of the numbers, so that their order is that of sending
  const { day } = toWallClock(sentAt, zone)
  const month = day.slice(0, 7)
  await tx.insert(statementsTable).values({
    ...key,
    to_day: to,
    terms,
    sent_at: sentAt,
    sent_by: sentBy,
    month,
    ordinal: await takeNextOrdinal(tx, month),
    client_id: campaign.client.id,
    client_name: campaign.client.name,
    campaign_name: campaign.name,
    agency_name: agency.name,
    address_lines: agency.address_lines,
    due_on: addDays(day, agency.terms_days),
  })
  const facts = await readLineFacts(tx, zone, { id: toStatementId(campaign.id, from), lines })
  const rows = lines.map((line, position) => {
    const lead = facts.get(line)
    return {
      ...line,
      ...key,
      position,
      lead_name: lead?.name ?? null,
      lead_type: lead?.type ?? null,
      lead_day: lead?.day ?? null,
    }
  })
  for (let start = 0; start < rows.length; start += maxInsertedLines)
    await tx.insert(statementLinesTable).values(rows.slice(start, start + maxInsertedLines))
}

/** Announces a sent statement in its transaction: to the audit log, and to the webhooks of users who may read it. */
async function announceSentStatement(
  tx: Tx,
  actor: AuditActor,
  statement: BeforeJson<ListedStatement>,
  mailedTo: string[],
) {
  const { id, number, campaign, from, to, total } = statement
  await writeAudit(tx, actor, {
    kind: statementAuditKind,
    rowId: campaign.id,
    before: null,
    after: { statement: id, number, from, to, total, ...(mailedTo.length > 0 ? { mailed_to: mailedTo } : {}) },
  })
  const subject = `statement:${id}`
  await recordWebhookEvents(tx, [{ type: 'statement.sent', subject }], async (reader) => {
    const isReadable = canManageBilling(reader) && (reader.campaignIds?.includes(campaign.id) ?? true)
    return new Map(isReadable ? [[subject, statement]] : [])
  })
}
