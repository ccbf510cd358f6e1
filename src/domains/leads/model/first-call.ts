import { min, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { facetBits } from '../filters.ts'
import { noCampaignId } from '../labels.ts'
import { type SummedLead, type SummedLeadWrite, summedLeadColumns } from '../sums/server/lead-changes.ts'
import type { StoredLead } from './dto.ts'
import { lockKeys } from './lock-keys.ts'
import { leadsTable } from './schema.ts'

/** The leads of one phone in one campaign. A lead that lacks either is in no group. */
type FirstCallGroup = { campaign_id: number; phone_key: string | null }

/**
 * Updates `first_call` of every lead in these groups: true for the earliest call, false for the rest. Call it after a write
 * that may have changed it, in the same transaction. Concurrent transactions of one group take turns. Returns the changed leads.
 */
export async function refreshFirstCalls(tx: Tx, groups: FirstCallGroup[]): Promise<SummedLeadWrite> {
  const whole = groups.filter(isFirstCallGroup).map(({ campaign_id, phone_key }) => ({ campaign_id, phone_key }))
  if (whole.length === 0) return { before: [], after: [] }
  await lockFirstCalls(tx, whole)
  // Separate statements, to see what was committed during the wait.
  const wrong = await tx.execute<{ id: number }>(sql`
    with named as materialized (
      select distinct campaign_id, phone_key from json_to_recordset(${JSON.stringify(whole)}) one (campaign_id int, phone_key text)
    ), earliest as materialized (
      select distinct on (lead.campaign_id, lead.phone_key) lead.id
      from leads lead join named on named.campaign_id = lead.campaign_id and named.phone_key = lead.phone_key
      where lead.lead_type = 'Call'
      order by lead.campaign_id, lead.phone_key, lead.occurred_at, lead.id
    )
    select lead.id from leads lead
      join named on named.campaign_id = lead.campaign_id and named.phone_key = lead.phone_key
      left join earliest on earliest.id = lead.id
    where lead.first_call <> (earliest.id is not null)`)
  const ids = wrong.rows.map(({ id }) => id)
  if (ids.length === 0) return { before: [], after: [] }
  const after: SummedLead[] = await tx
    .update(leadsTable)
    .set({ first_call: sql`not first_call` })
    .where(sql`id = any(${sql.param(ids)}::int[])`)
    .returning(summedLeadColumns)
  return { before: after.map(flipFirstCall), after }
}

/**
 * Returns for each lead that is about to be inserted whether it is the first call of its group, so that its row is right from the start,
 * and locks the groups. Leads get their ids in this order.
 */
export async function findNewFirstCalls(tx: Tx, leads: NewGroupedLead[]): Promise<boolean[]> {
  const grouped = leads.filter(isFirstCallGroup)
  if (grouped.length === 0) return leads.map(() => false)
  await lockFirstCalls(tx, grouped)
  const { campaign_id, phone_key, occurred_at } = leadsTable
  const stored = await tx
    .select({ campaign_id, phone_key, earliest: min(occurred_at) })
    .from(leadsTable)
    .where(
      sql`${phone_key} = any(${sql.param(listDistinct(grouped, 'phone_key'))}::text[])
        and ${campaign_id} = any(${sql.param(listDistinct(grouped, 'campaign_id'))}::int[]) and ${leadsTable.lead_type} = 'Call'`,
    )
    .groupBy(campaign_id, phone_key)
  const earliest = new Map(stored.map((group) => [toGroupKey(group), group.earliest!.getTime()]))
  const first = new Map<string, NewGroupedLead>()
  for (const lead of grouped) {
    const key = toGroupKey(lead)
    if (lead.lead_type !== 'Call' || lead.occurred_at.getTime() >= (earliest.get(key) ?? Infinity)) continue
    earliest.set(key, lead.occurred_at.getTime())
    first.set(key, lead)
  }
  return leads.map((lead) => first.get(toGroupKey(lead)) === lead)
}
type NewGroupedLead = FirstCallGroup & Pick<StoredLead, 'lead_type' | 'occurred_at'>

const listDistinct = <Name extends keyof FirstCallGroup>(groups: FirstCallGroup[], name: Name) => [
  ...new Set(groups.map((group) => group[name])),
]
const toGroupKey = ({ campaign_id, phone_key }: FirstCallGroup) => `${campaign_id} ${phone_key}`

const flipFirstCall = (lead: SummedLead) => ({ ...lead, facets: (lead.facets ?? 0) ^ facetBits.firstCall.mask })

/** Locks these groups until the transaction ends. The lock order is in store.ts. */
export const lockFirstCalls = (tx: Tx, groups: FirstCallGroup[]): Promise<void> =>
  lockKeys(
    tx,
    groups.filter(isFirstCallGroup).map(({ campaign_id, phone_key }) => `first call ${campaign_id} ${phone_key}`),
  )

const isFirstCallGroup = ({ campaign_id, phone_key }: FirstCallGroup) =>
  campaign_id !== noCampaignId && phone_key !== null
