import { and, eq, inArray, sql } from 'drizzle-orm'
import { runTransaction, type Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import type { NewLead } from '#domains/leads/model/new-lead-row.ts'
import { siteOrigin } from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { deleteUntouchedLeads, insertLeads } from '#domains/leads/model/store.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { classifyCallRailEvent, readCompanyIds } from '#integrations/callrail/webhook.ts'
import { isBlankForm, parseCallRailCall, parseCallRailForm } from '../../intake/server/callrail-lead.ts'
import { readSpamFlag } from '../../intake/server/parsed-event.ts'
import { findProviderTest } from '../../intake/server/provider-test.ts'
import { callRailHistoriesTable, callRailHistoryLeadsTable } from '../schema.ts'
import type { ConnectedAccount } from './accounts.ts'
import {
  findCallEnd,
  findKnownCalls,
  findKnownForms,
  isSafeId,
  type ListedRow,
  type PlacedRow,
  placeRows,
} from './store-listed.ts'

/** Makes leads of past calls, of companies whose client site has a campaign. A call that is known stays as it is. */
export function storeHistoricCalls(context: AppContext, account: ConnectedAccount, calls: ListedRow[], now: Date) {
  const ended = calls.filter(
    (call) => isSafeId(call.id) && classifyCallRailEvent(call).kind === 'call' && findCallEnd(call, now) !== null,
  )
  return runTransaction(context.db, async (tx) => {
    const placed = await placeRows(tx, ended)
    const known = await findKnownCalls(tx, placed)
    await storeLeads(tx, context, account, {
      rows: placed.filter(({ row }) => !known.has(row.id)),
      parse: (row) => parseCallRailCall(row, now),
    })
  })
}

/** Makes leads of past form submissions, like calls. */
export function storeHistoricForms(context: AppContext, account: ConnectedAccount, forms: ListedRow[], now: Date) {
  const sent = forms.filter((form) => isSafeId(form.id) && classifyCallRailEvent(form).kind === 'form')
  return runTransaction(context.db, async (tx) => {
    const placed = await placeRows(tx, sent)
    const known = await findKnownForms(tx, placed, now)
    await storeLeads(tx, context, account, {
      rows: placed.filter(({ row }) => !known.has(row.id)),
      parse: (row) => parseCallRailForm(row, now),
    })
  })
}

type Historic = { rows: PlacedRow[]; parse: (row: ListedRow) => ReturnType<typeof parseCallRailCall> }

/** No one is mailed or notified of these leads, and no webhook event is recorded. */
async function storeLeads(
  tx: Tx,
  context: AppContext,
  account: ConnectedAccount,
  { rows, parse }: Historic,
): Promise<void> {
  const sites = await readCampaignSites(tx, rows)
  const leads = rows.flatMap(({ row, site }): NewLead[] => {
    const place = sites.get(site ?? 0)
    if (!place || findProviderTest(row) !== null) return []
    const incoming = cleanContact(parse(row))
    if (isBlankForm(incoming)) return []
    return [
      {
        ...incoming,
        voicemail: incoming.voicemail ?? false,
        lead_s: 'Callrail',
        lead_id: row.id,
        origin: siteOrigin(place.id),
        company: { id: readCompanyIds(row)[0] ?? '', isListed: true },
        spam_flagged_by: readSpamFlag('CallRail', row)?.isSet ? 'CallRail' : null,
        campaign_id: place.campaign_id,
        clientsite_id: place.id,
        hours: { schedule: place.schedule, timezone: place.timezone },
        is_past: true,
      },
    ]
  })
  if (leads.length === 0) return
  const history = await lockRunningHistory(tx, account.connectionId)
  if (!history) return
  const made = [...(await insertLeads(tx, context.settings.AGENCY_TIMEZONE, leads)).values()]
  if (made.length === 0) return
  const connection_id = account.connectionId
  await tx
    .insert(callRailHistoryLeadsTable)
    .values(made.map(({ id }) => ({ lead_id: id, connection_id, read_at: history.read_at })))
  await tx
    .update(callRailHistoriesTable)
    .set({ made: sql`${callRailHistoriesTable.made} + ${made.length}` })
    .where(eq(callRailHistoriesTable.connection_id, connection_id))
}

/** Returns nothing once the history was stopped: what would come after that would not be taken back with the rest. */
async function lockRunningHistory(tx: Tx, connectionId: number): Promise<{ read_at: Date } | undefined> {
  const { connection_id, state, started_at } = callRailHistoriesTable
  const [running] = await tx
    .select({ read_at: started_at })
    .from(callRailHistoriesTable)
    .where(and(eq(connection_id, connectionId), inArray(state, ['reading', 'waiting'])))
    .for('update')
  return running
}

async function readCampaignSites(tx: Tx, rows: PlacedRow[]) {
  const ids = [...new Set(rows.flatMap(({ site }) => site ?? []))]
  const found = await tx
    .select({
      id: clientSitesTable.id,
      campaign_id: campaignsTable.id,
      schedule: campaignsTable.schedule,
      timezone: campaignsTable.timezone,
    })
    .from(clientSitesTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, clientSitesTable.campaign_id))
    .where(inArray(clientSitesTable.id, ids))
  return new Map(found.map((site) => [site.id, site]))
}

/** As many leads as one transaction takes back. */
const removedAtOnce = 500

/**
 * Takes back leads that a history made and no one has changed or mailed since, of these client sites or of all, as many as one transaction
 * should. Returns how many went, the ids of those that stay, and whether all have been looked at; call it until they have.
 */
export async function removeHistoryLeads(
  tx: Tx,
  connectionId: number,
  sites?: number[],
): Promise<{ removed: number; kept: number[]; isDone: boolean }> {
  const { connection_id, lead_id } = callRailHistoryLeadsTable
  const rows = await tx
    .select({ lead_id })
    .from(callRailHistoryLeadsTable)
    .where(
      and(
        eq(connection_id, connectionId),
        // One parameter, however many leads: PostgreSQL takes 65,535.
        sites && sql`${lead_id} = any(${sql.param(await findSiteLeads(tx, sites))}::int[])`,
      ),
    )
    .orderBy(lead_id)
    .limit(removedAtOnce)
  const ids = rows.map((row) => row.lead_id)
  const removed = new Set(ids.length > 0 ? await deleteUntouchedLeads(tx, ids) : [])
  const kept = ids.filter((id) => !removed.has(id))
  if (removed.size > 0) await tx.delete(callRailHistoryLeadsTable).where(inArray(lead_id, [...removed]))
  if (kept.length > 0) await releaseLeads(tx, connectionId, kept)
  return { removed: removed.size, kept, isDone: ids.length < removedAtOnce }
}

/** They are no longer taken back, but stay history: what was not billed must not be billed because a history was taken back. */
async function releaseLeads(tx: Tx, connectionId: number, ids: number[]): Promise<void> {
  const { lead_id, read_at } = callRailHistoryLeadsTable
  const { connection_id, started_at } = callRailHistoriesTable
  const started = tx.select({ at: started_at }).from(callRailHistoriesTable).where(eq(connection_id, connectionId))
  await tx
    .update(callRailHistoryLeadsTable)
    .set({ connection_id: null, read_at: sql`coalesce(${read_at}, (${started}))` })
    .where(inArray(lead_id, ids))
}

/** Ids, not a subquery: leads may be on other machines. */
async function findSiteLeads(tx: Tx, sites: number[]): Promise<number[]> {
  const { id, clientsite_id } = leadsTable
  const leads = await tx.select({ id }).from(leadsTable).where(inArray(clientsite_id, sites))
  return leads.map((lead) => lead.id)
}
