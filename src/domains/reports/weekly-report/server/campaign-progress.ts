import { type SQL, sql } from 'drizzle-orm'
import type { Day } from '#contract/days.ts'
import { startOf } from '#core/time/local-time.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { currentTarget } from '#domains/campaigns/server/current-target.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { counts, isCountedFor } from '#domains/reports/counted-weeks/server/counted-leads.ts'
import { cycleOf } from './cycle.ts'

/** Who asks, and where and when the agency is. */
export type Asking = { me: Me; zone: string; today: Day }
/** A campaign, and where it stands in its cycle. The client and the target, and what tells it, are for admins. */
export type Standing = {
  id: number
  name: string
  archived: 0 | 1
  client?: { id: number; name: string }
  is_ppc: 0 | 1
  trouble_state: number
  leads_target?: number
  current_leads: number
  missed_leads: number
  days_left: number
  run_rate?: number | null
}

/** The campaigns that this person may see, all or of some categories, each with where it stands; as a query. */
export function standings(
  asking: Asking,
  which: { id?: number | undefined; category_ids?: number[] | undefined },
): SQL {
  const { me, zone } = asking
  const where =
    which.id === undefined ? inScope(me, which.category_ids) : sql`${campaigns.id} = ${which.id} and ${inScope(me)}`
  return sql`
    with cycle as materialized (select * from ${cycles(asking)}), asked as materialized (
      select ${campaigns.id}, cycle.starts, cycle.ends from ${campaigns} join cycle on cycle.due = ${campaigns.due_date} where ${where}
    ), current as materialized (
      select ${leads.campaign_id}, ${counts} from ${leads} join asked on asked.id = ${leads.campaign_id}
      where ${isCountedFor(me)} and ${leads.occurred_at} >= asked.starts and ${leads.occurred_at} < asked.ends
      group by ${leads.campaign_id}
    )
    select ${campaigns.id}, ${campaigns.name}, ${campaigns.archived}::int as archived,
      json_build_object('id', clients.id, 'name', clients.name) as client, clients.name as client_name,
      ${campaigns.is_ppc}::int as is_ppc, ${campaigns.trouble_state}, target.leads as leads_target,
      coalesce(current.confirmed, 0) as current_leads, coalesce(current.missed, 0) as missed_leads, cycle.days_left,
      round(coalesce(current.confirmed, 0)::numeric * cycle.days / (cycle.gone * nullif(target.leads, 0)), 2)::float8 as run_rate
    from asked join ${campaigns} on ${campaigns.id} = asked.id join clients on clients.id = ${campaigns.client_id}
      join cycle on cycle.due = ${campaigns.due_date}
      cross join lateral (select ${currentTarget(zone)} as leads) target
      left join current on current.campaign_id = asked.id`
}

/** The campaigns that this person may see, all or of some categories. */
export function inScope(me: Me, categoryIds: number[] = []): SQL {
  const theirs = inTheirCampaigns(me, campaigns.id) ?? sql`true`
  if (categoryIds.length === 0) return theirs
  return sql`${theirs} and exists (select from campaign_category_links link
    where link.campaign_id = ${campaigns.id} and link.category_id = any(${sql.param(categoryIds)}::int[]))`
}

/** There are 31 due days, so 31 cycles: reckoned here, so that their days begin and end as those of the Leads list do. */
function cycles({ zone, today }: Asking): SQL {
  const all = Array.from({ length: 31 }, (_, index) => ({ due: index + 1, ...cycleOf(index + 1, today) }))
  const numbers = (of: (cycle: (typeof all)[number]) => number) => sql`${sql.param(all.map(of))}::int[]`
  const instants = (of: (cycle: (typeof all)[number]) => Day) =>
    sql`${sql.param(all.map((cycle) => startOf(of(cycle), zone).toISOString()))}::timestamptz[]`
  return sql`unnest(${numbers(({ due }) => due)}, ${instants(({ from }) => from)}, ${instants(({ next }) => next)},
    ${numbers(({ days }) => days)}, ${numbers(({ gone }) => gone)}, ${numbers(({ left }) => left)})
    as cycle (due, starts, ends, days, gone, days_left)`
}

/** What this person is answered: the target, and the run rate that tells it, are not for handlers. */
export function seenBy(me: Me, row: Standing): Standing {
  const { id, name, archived, is_ppc, trouble_state, current_leads, missed_leads, days_left } = row
  const common = { id, name, archived, is_ppc, trouble_state, current_leads, missed_leads, days_left }
  if (!me.isAdmin) return common
  return { ...common, client: row.client, leads_target: row.leads_target, run_rate: row.run_rate }
}
