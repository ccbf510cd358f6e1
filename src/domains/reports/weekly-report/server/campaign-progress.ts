import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDay } from '#contract/days.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { computeBillingCycle, currentTargetSql } from '#domains/campaigns/public.ts'
import { campaignCategoryLinksTable, campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { countedLeadCondition, leadCountColumns } from '#domains/leads/public.ts'

/** The user, and the agency's time zone and day. */
export type ReportContext = { me: CurrentUser; zone: string; today: CalendarDay }
/** A campaign and its progress in the cycle. The client and the target, and values that reveal it, are for admins. */
export type CampaignProgress = {
  id: number
  name: string
  archived: 0 | 1
  client?: { id: number; name: string }
  is_ppc: 0 | 1
  due_date: number
  manager: string
  trouble_state: number
  leads_target?: number
  current_leads: number
  missed_leads: number
  days_left: number
  run_rate?: number | null
}

/** Returns a query of the campaigns that this user may see, all or of some categories, each with its progress. */
export function campaignProgressQuery(
  context: ReportContext,
  which: { id?: number | undefined; category_ids?: number[] | undefined },
): SQL {
  const { me, zone } = context
  const where =
    which.id === undefined
      ? campaignScopeCondition(me, which.category_ids)
      : sql`${campaignsTable.id} = ${which.id} and ${campaignScopeCondition(me)}`
  return sql`
    with cycle as materialized (select * from ${billingCyclesQuery(context)}), chosen as materialized (
      select ${campaignsTable.id}, cycle.starts, cycle.ends from ${campaignsTable} join cycle on cycle.due = ${campaignsTable.due_date} where ${where}
    ), current as materialized (
      select ${leadsTable.campaign_id}, ${leadCountColumns} from ${leadsTable} join chosen on chosen.id = ${leadsTable.campaign_id}
      where ${countedLeadCondition(me)} and ${leadsTable.occurred_at} >= chosen.starts and ${leadsTable.occurred_at} < chosen.ends
      group by ${leadsTable.campaign_id}
    )
    select ${campaignsTable.id}, ${campaignsTable.name}, ${campaignsTable.archived}::int as archived,
      json_build_object('id', ${clientsTable.id}, 'name', ${clientsTable.name}) as client, ${clientsTable.name} as client_name,
      ${campaignsTable.is_ppc}::int as is_ppc, ${campaignsTable.due_date}::int as due_date, ${campaignsTable.manager}, ${campaignsTable.trouble_state}, target.leads as leads_target,
      coalesce(current.confirmed, 0) as current_leads, coalesce(current.missed, 0) as missed_leads, cycle.days_left,
      round(coalesce(current.confirmed, 0)::numeric * cycle.days / (cycle.gone * nullif(target.leads, 0)), 2)::float8 as run_rate
    from chosen join ${campaignsTable} on ${campaignsTable.id} = chosen.id join ${clientsTable} on ${clientsTable.id} = ${campaignsTable.client_id}
      join cycle on cycle.due = ${campaignsTable.due_date}
      cross join lateral (select ${currentTargetSql(zone)} as leads) target
      left join current on current.campaign_id = chosen.id`
}

/** Matches the campaigns that this user may see, all or of some categories. */
export function campaignScopeCondition(me: CurrentUser, categoryIds: number[] = []): SQL {
  const theirs = inVisibleCampaigns(me, campaignsTable.id) ?? sql`true`
  if (categoryIds.length === 0) return theirs
  return sql`${theirs} and exists (select from ${campaignCategoryLinksTable}
    where ${campaignCategoryLinksTable.campaign_id} = ${campaignsTable.id}
      and ${campaignCategoryLinksTable.category_id} = any(${sql.param(categoryIds)}::int[]))`
}

/** There are 31 due days, so 31 cycles. They are computed here, so that their days match those of the Leads list. */
function billingCyclesQuery({ zone, today }: ReportContext): SQL {
  const all = Array.from({ length: 31 }, (_, index) => ({ due: index + 1, ...computeBillingCycle(index + 1, today) }))
  const numbers = (of: (cycle: (typeof all)[number]) => number) => sql`${sql.param(all.map(of))}::int[]`
  const instants = (of: (cycle: (typeof all)[number]) => CalendarDay) =>
    sql`${sql.param(all.map((cycle) => startOfZonedDay(of(cycle), zone)))}::timestamptz[]`
  return sql`unnest(${numbers(({ due }) => due)}, ${instants(({ from }) => from)}, ${instants(({ next }) => next)},
    ${numbers(({ days }) => days)}, ${numbers(({ gone }) => gone)}, ${numbers(({ left }) => left)})
    as cycle (due, starts, ends, days, gone, days_left)`
}

/** Removes what handlers may not see: the target, and the run rate, which reveals it. */
export function redactCampaignProgress(
  me: CurrentUser,
  row: CampaignProgress,
): Omit<CampaignProgress, 'due_date' | 'manager'> {
  const { id, name, archived, is_ppc, trouble_state, current_leads, missed_leads, days_left } = row
  const common = { id, name, archived, is_ppc, trouble_state, current_leads, missed_leads, days_left }
  if (!me.isAdmin) return common
  return { ...common, client: row.client, leads_target: row.leads_target, run_rate: row.run_rate }
}
