import { and, desc, eq, gte, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { addDays, getToday } from '#contract/days.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { getFirstDay } from '#domains/campaigns/terms/public.ts'
import { noCampaignId, notLeadProgress } from '#domains/leads/labels.ts'
import type { leadsTable } from '#domains/leads/model/schema.ts'
import { keepStatementsWith } from '../../statements/server/kept-statements.ts'
import { readCampaignCycles } from '../../statements/server/read-ledgers.ts'
import type { DisputeChannel, DisputeReason } from '../labels.ts'
import { disputesTable } from '../schema.ts'

export const disputeAuditKind = 'dispute'

type Lead = typeof leadsTable.$inferSelect
/** The client set a lead's progress: `before` and `after` are the lead, locked in this transaction. */
type ClientProgress = {
  before: Lead
  after: Lead
  via: DisputeChannel
  /** Why it is not a lead, if they said why. */
  reason?: DisputeReason | undefined
  actor: AuditActor
  zone: string
  /** When they set it. */
  at?: Date
}

/**
 * Opens or withdraws disputes as a client sets a lead's progress. Not Lead on a verified lead opens a dispute while the
 * terms allow it; any other progress withdraws an open one, and a reason is added to it. An unchanged Not Lead opens a dispute only if there has
 * been none, because forms send it again.
 */
export async function followClientProgress(tx: Tx, said: ClientProgress): Promise<void> {
  const { before, after, actor, via, reason, zone, at = new Date() } = said
  if (after.client_progress !== notLeadProgress) return withdrawDispute(tx, actor, after.id)
  if (!after.confirmed || after.campaign_id === noCampaignId) return
  const { id, state } = disputesTable
  const earlier = await tx
    .select({ id, state, reason: disputesTable.reason })
    .from(disputesTable)
    .where(isAbout(after.id))
  const open = earlier.find((dispute) => dispute.state === 'open')
  if (open) return addReason(tx, actor, open, reason)
  const isRepeated = before.client_progress === notLeadProgress && earlier.length > 0
  if (isRepeated) return
  const [campaign] = await tx.select().from(campaignsTable).where(eq(campaignsTable.id, after.campaign_id))
  if (!campaign || !(await isWithinDisputeDays(tx, campaign, after, zone, at))) return
  const { id: lead_id, campaign_id } = after
  const [opened] = await tx
    .insert(disputesTable)
    .values({ lead_id, campaign_id, client_id: campaign.client_id, via, reason, opened_at: at })
    .returning({ id: disputesTable.id })
  await writeAudit(tx, actor, {
    kind: disputeAuditKind,
    rowId: opened!.id,
    before: null,
    after: { lead_id, campaign_id, via, reason: reason ?? null, state: 'open' },
  })
}

async function addReason(
  tx: Tx,
  actor: AuditActor,
  dispute: { id: number; reason: DisputeReason | null },
  reason: DisputeReason | undefined,
) {
  if (reason === undefined || reason === dispute.reason) return
  await tx.update(disputesTable).set({ reason }).where(eq(disputesTable.id, dispute.id))
  await writeAudit(tx, actor, {
    kind: disputeAuditKind,
    rowId: dispute.id,
    before: { reason: dispute.reason },
    after: { reason },
  })
}

const isAbout = (leadId: number) => eq(disputesTable.lead_id, leadId)

/** Removes the open dispute of a lead: the client took it back, or a mail scanner opened it at `since` or later. */
export async function withdrawDispute(tx: Tx, actor: AuditActor, leadId: number, since = new Date(0)): Promise<void> {
  const removed = await tx
    .delete(disputesTable)
    .where(and(isAbout(leadId), eq(disputesTable.state, 'open'), gte(disputesTable.opened_at, since)))
    .returning()
  for (const { id, lead_id, campaign_id, via, reason, state } of removed)
    await writeAudit(tx, actor, {
      kind: disputeAuditKind,
      rowId: id,
      before: { lead_id, campaign_id, via, reason, state },
      after: null,
    })
}

/** Counts days from the lead’s own, under the terms of its cycle. */
async function isWithinDisputeDays(
  tx: Tx,
  campaign: typeof campaignsTable.$inferSelect,
  lead: Lead,
  zone: string,
  at: Date,
): Promise<boolean> {
  const { day } = toWallClock(lead.occurred_at, zone)
  const [today, first] = [getToday(zone), getFirstDay(campaign, zone)]
  const [{ cycles } = { cycles: [] }] = await readCampaignCycles(tx, [campaign], zone, first > today ? first : today)
  // A lead from before the first cycle belongs to the first cycle, also while that has not begun.
  const { terms } = cycles.findLast(({ from }) => from <= day) ?? cycles[0] ?? {}
  return terms !== undefined && getToday(zone, at) <= addDays(day, terms.dispute_days)
}

/** A lead that is in another campaign now. `move`: it has left its client. `reopensFor`: the client to whom it was put back. */
type FollowedLead = { id: number; campaign_id: number; move: { from: number } | null; reopensFor: number | null }

/**
 * Lets the disputes of leads follow them. One that is open when its client loses the lead is settled, and open again when the lead is put
 * back. Between campaigns of one client it goes along. The leads are locked.
 */
export async function followLeadMoves(tx: Tx, actor: AuditActor, leads: readonly FollowedLead[]): Promise<void> {
  const left = leads.flatMap(({ id, move }) => (move ? { id, from: move.from } : []))
  for (const [from, lost] of Map.groupBy(left, (lead) => lead.from))
    await settleDisputes(
      tx,
      actor,
      inArray(
        disputesTable.lead_id,
        lost.map(({ id }) => id),
      ),
      from,
    )
  const back = leads.flatMap(({ id, reopensFor }) => (reopensFor === null ? [] : id))
  const settled = await tx
    .select({ id: disputesTable.lead_id })
    .from(disputesTable)
    .where(and(inArray(disputesTable.lead_id, back), eq(disputesTable.state, 'settled')))
  const mayReopen = new Set(settled.map(({ id }) => id))
  for (const { id, campaign_id, move, reopensFor } of leads) {
    if (!move)
      await tx
        .update(disputesTable)
        .set({ campaign_id })
        .where(and(isAbout(id), isOpen))
    if (reopensFor !== null && mayReopen.has(id)) await reopenDispute(tx, actor, { id, campaign_id }, reopensFor)
  }
}

/** Settles the open disputes of a campaign that its client loses, and leaves all of its disputes with that client. */
export async function settleCampaignDisputes(tx: Tx, actor: AuditActor, campaignId: number, client: number) {
  await settleDisputes(tx, actor, eq(disputesTable.campaign_id, campaignId), client)
  await tx
    .update(disputesTable)
    .set({ client_id: client })
    .where(and(eq(disputesTable.campaign_id, campaignId), isNull(disputesTable.client_id)))
  await keepStatementsWith(tx, campaignId, client)
}

const isOpen = eq(disputesTable.state, 'open')

async function settleDisputes(tx: Tx, actor: AuditActor, which: SQL, client: number) {
  const settled = await tx
    .update(disputesTable)
    .set({ state: 'settled', decided_at: sql`now()`, client_id: sql`coalesce(${disputesTable.client_id}, ${client})` })
    .where(and(which, isOpen))
    .returning({ id: disputesTable.id })
  for (const { id } of settled)
    await writeAudit(tx, actor, {
      kind: disputeAuditKind,
      rowId: id,
      before: { state: 'open' },
      after: { state: 'settled' },
    })
}

/** Opens the last dispute of a lead by this client again, if it is settled: in the campaign to which the lead came back. */
async function reopenDispute(
  tx: Tx,
  actor: AuditActor,
  { id: leadId, campaign_id }: Pick<FollowedLead, 'id' | 'campaign_id'>,
  client: number,
) {
  const [last] = await tx
    .select({ id: disputesTable.id, state: disputesTable.state })
    .from(disputesTable)
    .where(and(isAbout(leadId), eq(disputesTable.client_id, client)))
    .orderBy(desc(disputesTable.id))
    .limit(1)
  if (last?.state !== 'settled') return
  await tx
    .update(disputesTable)
    .set({ state: 'open', decided_at: null, campaign_id })
    .where(eq(disputesTable.id, last.id))
  await writeAudit(tx, actor, {
    kind: disputeAuditKind,
    rowId: last.id,
    before: { state: 'settled' },
    after: { state: 'open' },
  })
}
