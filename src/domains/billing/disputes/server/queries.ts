import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { matchFilters } from '#core/db/field-columns.ts'
import { sortDirection } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { Dispute, DisputeListQuery } from '../contract.ts'
import { type DisputedLead, disputeFilters } from '../fields.ts'
import { disputesTable } from '../schema.ts'
import { disputingClient } from './lead-disputes.ts'

/** The reader, and the agency's time zone. */
type DisputeReader = { me: CurrentUser; zone: string }

/** Returns a page of the disputes that this person may see, open ones first. */
export async function readDisputesPage(db: DbOrTx, reader: DisputeReader, query: DisputeListQuery) {
  const where = and(
    inVisibleCampaigns(reader.me, disputesTable.campaign_id),
    matchFilters(disputeFilters, disputesTable, query, {}),
  )
  const direction = sortDirection(query.order)
  const disputes = selectDisputes(db, where).orderBy(
    sql`(${disputesTable.state} = 'open') desc`,
    direction(disputesTable.opened_at),
    direction(disputesTable.id),
  )
  const { data, total } = await readPage(disputes, db.$count(disputesTable, where), query)
  return { data: await addLeads(db, reader, data), total }
}

/** Returns one dispute. The caller has checked that this person may see it. */
export async function readDispute(db: DbOrTx, reader: DisputeReader, id: number): Promise<BeforeJson<Dispute>> {
  const [dispute] = await addLeads(db, reader, await selectDisputes(db, eq(disputesTable.id, id)))
  return dispute!
}

const selectDisputes = (db: DbOrTx, where: SQL | undefined) =>
  db
    .select({
      dispute: disputesTable,
      campaign: { id: campaignsTable.id, name: campaignsTable.name },
      client_id: disputingClient,
      decided_by: usersTable.username,
    })
    .from(disputesTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, disputesTable.campaign_id))
    .leftJoin(usersTable, eq(usersTable.id, disputesTable.decided_by))
    .where(where)

type DisputeRow = Awaited<ReturnType<typeof selectDisputes>>[number]

async function addLeads(db: DbOrTx, reader: DisputeReader, rows: DisputeRow[]): Promise<BeforeJson<Dispute>[]> {
  const leads = await readDisputedLeads(
    db,
    reader,
    rows.map(({ dispute }) => dispute.lead_id),
  )
  return rows.map(({ dispute, campaign, client_id, decided_by }) => ({
    id: dispute.id,
    lead_id: dispute.lead_id,
    lead: leads.get(dispute.lead_id)?.(client_id) ?? null,
    campaign,
    via: dispute.via,
    reason: dispute.reason,
    state: dispute.state,
    answer: dispute.answer,
    opened_at: dispute.opened_at,
    decided_at: dispute.decided_at,
    decided_by,
  }))
}

/** Returns each lead as a dispute of a client shows it: what another client, who has it now, says about it is theirs. */
async function readDisputedLeads(
  db: DbOrTx,
  { me, zone }: DisputeReader,
  ids: number[],
): Promise<Map<number, (clientId: number) => DisputedLead>> {
  const rows = await db
    .select({
      id: leadsTable.id,
      name: leadsTable.lead_name,
      type: leadsTable.lead_type,
      occurred_at: leadsTable.occurred_at,
      phone: leadsTable.lead_phone,
      email: leadsTable.lead_email,
      message: leadsTable.message,
      duration: leadsTable.duration,
      recording: sql<boolean>`${leadsTable.recording_url} is not null`,
      rating: leadsTable.rating,
      progress: leadsTable.client_progress,
      client_notes: leadsTable.client_notes,
      confirmed: leadsTable.confirmed,
      client_id: campaignsTable.client_id,
    })
    .from(leadsTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, leadsTable.campaign_id))
    .where(and(sql`${leadsTable.id} = any(${sql.param(ids)}::int[])`, inVisibleCampaigns(me, leadsTable.campaign_id)))
  return new Map(
    rows.map(({ occurred_at, client_id, ...lead }) => {
      const { day, time } = toWallClock(occurred_at, zone)
      const shown = { ...lead, date: day, time: time.slice(0, 5) }
      const unsaid = { ...shown, rating: null, progress: null, client_notes: null }
      return [lead.id, (clientId) => (clientId === client_id ? shown : unsaid)]
    }),
  )
}
