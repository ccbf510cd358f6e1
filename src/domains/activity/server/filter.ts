import { and, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { CurrentUser } from '#domains/access/public.ts'
import { splitOwnerKeys } from '../campaign-or-team.ts'
import { activityItemsTable } from '../schema.ts'
import { buildVisibleItemsFilter } from './visibility.ts'

/** The filters that the log and the changelog share. */
type ActivityItemFilters = {
  from?: string | undefined
  to?: string | undefined
  campaign_ids?: string[] | undefined
  user_ids?: number[] | undefined
}

/** Builds the filter of items. It only narrows what the person may see. */
export function buildActivityItemsFilter(
  me: CurrentUser,
  { from, to, campaign_ids, user_ids }: ActivityItemFilters,
): SQL {
  const found = and(
    buildVisibleItemsFilter(me),
    from === undefined ? undefined : gte(activityItemsTable.date, from),
    to === undefined ? undefined : lte(activityItemsTable.date, to),
    campaign_ids && buildOwnersFilter(campaign_ids),
    user_ids && buildUsersFilter(user_ids),
  )
  return found ?? sql`true`
}

function buildOwnersFilter(keys: string[]): SQL {
  const { campaigns, teams } = splitOwnerKeys(keys)
  return sql`(${activityItemsTable.campaign_id} = any(${sql.param(campaigns)}::int[])
    or ${activityItemsTable.team_id} = any(${sql.param(teams)}::int[]))`
}

/** Items that one of these users wrote or is assigned to. What an unknown person wrote is stored under the user who moved it. */
const buildUsersFilter = (
  ids: number[],
) => sql`(${activityItemsTable.user_id} = any(${sql.param(ids)}::int[]) and ${activityItemsTable.author_name} is null
  or ${activityItemsTable.assignee_id} = any(${sql.param(ids)}::int[]))`
