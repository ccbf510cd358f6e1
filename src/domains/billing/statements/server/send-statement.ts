import { getToday } from '#contract/days.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, notFoundError } from '#core/http/errors.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { canManageBilling } from '#domains/campaigns/terms/contract.ts'
import { recordWebhookEvents } from '#domains/webhooks/public.ts'
import { parseStatementId, type Statement } from '../contract.ts'
import { statementLinesTable, statementsTable } from '../schema.ts'
import { type StatementReader, toStatement } from './queries.ts'
import type { LedgerStatement } from './read-ledgers.ts'
import { readCampaignCycles, readLedgers } from './read-ledgers.ts'

const maxInsertedLines = 1000

/**
 * Freezes a statement with its terms and lines. Sends of one campaign take turns, and the keys of both tables reject
 * duplicates. A send that dies leaves nothing, so it can be repeated safely.
 */
export async function sendStatement(
  tx: Tx,
  { me, zone, actor }: StatementReader & { actor: AuditActor },
  id: number,
): Promise<Statement> {
  const { campaignId, from } = parseStatementId(id)
  const campaign = await requireCampaign(tx, me, campaignId, { lock: 'no key update' })
  const [found] = await readCampaignCycles(tx, [campaign], zone)
  const cycle = found?.cycles.find((one) => one.from === from)
  if (!found || !cycle) throw notFoundError()
  if (cycle.isSent) throw conflictError('This statement was sent already')
  if (cycle.to >= getToday(zone)) throw conflictError('The cycle of this statement has not ended')
  const [statement] = await readLedgers(tx, [{ ...found, wanted: new Set([from]) }], zone)
  await storeStatement(tx, statement!, me.id)
  const sent = toStatement({ ...statement!, isSent: true })
  await announceSentStatement(tx, actor, sent)
  return sent
}

async function storeStatement(tx: Tx, { campaign, from, to, terms, lines }: LedgerStatement, sentBy: number) {
  const key = { campaign_id: campaign.id, from_day: from }
  await tx.insert(statementsTable).values({ ...key, to_day: to, terms, sent_by: sentBy })
  const rows = lines.map((line, position) => ({ ...line, ...key, position }))
  for (let start = 0; start < rows.length; start += maxInsertedLines)
    await tx.insert(statementLinesTable).values(rows.slice(start, start + maxInsertedLines))
}

/** Announces a sent statement in its transaction: to the audit log, and to the webhooks of users who may read it. */
async function announceSentStatement(tx: Tx, actor: AuditActor, statement: Statement) {
  const { id, campaign, from, to, total } = statement
  await writeAudit(tx, actor, {
    kind: 'statement',
    rowId: campaign.id,
    before: null,
    after: { statement: id, from, to, total },
  })
  const subject = `statement:${id}`
  await recordWebhookEvents(tx, [{ type: 'statement.sent', subject }], async (reader) => {
    const isReadable = canManageBilling(reader) && (reader.campaignIds?.includes(campaign.id) ?? true)
    return new Map(isReadable ? [[subject, statement]] : [])
  })
}
