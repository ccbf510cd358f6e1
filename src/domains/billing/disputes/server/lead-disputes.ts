import { and, desc, eq, gte, inArray, lt, ne, sql } from 'drizzle-orm'
import { addWorkingDays, getToday } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { DisputeReason, DisputeState } from '../labels.ts'
import { disputesTable } from '../schema.ts'

/** Returns whether the client of a campaign has an open, or accepted, dispute of a lead. */
export type LeadDisputes = (state: 'open' | 'accepted', campaignId: number, leadId: number) => boolean

export async function readLeadDisputes(db: DbOrTx, campaignIds: number[]): Promise<LeadDisputes> {
  const { lead_id, campaign_id, state } = disputesTable
  const rows = await db
    .select({ lead_id, campaign_id, state })
    .from(disputesTable)
    .where(and(inArray(campaign_id, campaignIds), ne(state, 'refused')))
  const known = new Set(rows.map((row) => `${row.state} ${row.campaign_id} ${row.lead_id}`))
  return (...parts) => known.has(parts.join(' '))
}

/** What the client sees of their latest dispute of a lead. */
type DisputeAnswer = {
  state: DisputeState
  answer: string | null
  reason: DisputeReason | null
  /** A day of the agency; null once it is not open. */
  answer_by: string | null
}

/** The agency answers a dispute within so many days, Monday to Friday. */
const answerWorkingDays = 3

/** Returns the latest dispute of a lead by this client, or null. `zone` is the agency's. */
export async function readDisputeAnswer(
  db: DbOrTx,
  { leadId, clientId, zone }: { leadId: number; clientId: number; zone: string },
): Promise<DisputeAnswer | null> {
  const { state, answer, reason, opened_at } = disputesTable
  const [latest] = await db
    .select({ state, answer, reason, opened_at })
    .from(disputesTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, disputesTable.campaign_id))
    .where(and(eq(disputesTable.lead_id, leadId), eq(disputingClient, clientId)))
    .orderBy(desc(disputesTable.id))
    .limit(1)
  if (!latest) return null
  const { opened_at: openedAt, ...shown } = latest
  return { ...shown, answer_by: latest.state === 'open' ? computeAnswerDay(openedAt, zone) : null }
}

const computeAnswerDay = (openedAt: Date, zone: string) => addWorkingDays(getToday(zone, openedAt), answerWorkingDays)

/** Returns the open disputes of these campaigns, oldest first, each with the day by which the agency answers. */
export async function readOpenDisputes(db: DbOrTx, campaignIds: readonly number[], zone: string) {
  const { lead_id, reason, opened_at, campaign_id, state, id } = disputesTable
  const rows = await db
    .select({ lead_id, reason, opened_at })
    .from(disputesTable)
    .where(and(inArray(campaign_id, [...campaignIds]), eq(state, 'open')))
    .orderBy(opened_at, id)
  return rows.map(({ opened_at: openedAt, ...row }) => ({ ...row, answer_by: computeAnswerDay(openedAt, zone) }))
}

/** The client who disputes. */
export const disputingClient = sql<number>`coalesce(${disputesTable.client_id}, ${campaignsTable.client_id})`

/** Returns this client's disputes in these campaigns that were decided in a time range, in order of decision, for their report. */
export async function readDecidedDisputes(
  db: DbOrTx,
  clientId: number,
  campaignIds: number[],
  from: Date,
  until: Date,
) {
  const { id, lead_id, campaign_id, state, answer, decided_at } = disputesTable
  const rows = await db
    .select({ id, lead_id, campaign_id, state, answer, decided_at })
    .from(disputesTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, campaign_id))
    .where(
      and(
        inArray(campaign_id, campaignIds),
        eq(disputingClient, clientId),
        gte(decided_at, from),
        lt(decided_at, until),
      ),
    )
    .orderBy(decided_at, id)
  return rows.flatMap((row) =>
    row.state === 'open' || row.state === 'settled' || row.answer === null || row.decided_at === null
      ? []
      : [{ ...row, state: row.state, answer: row.answer, decided_at: row.decided_at }],
  )
}
