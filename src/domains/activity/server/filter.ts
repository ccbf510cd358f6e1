import { and, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { Me } from '#domains/access/server/current-user.ts'
import { sortedOut } from '../campaign-or-team.ts'
import { activityItems } from '../schema.ts'
import { visibleItems } from './visibility.ts'

/** What both the log and the changelog can be asked for. */
type Asked = {
  from?: string | undefined
  to?: string | undefined
  campaign_ids?: string[] | undefined
  user_ids?: number[] | undefined
}

/** Which items. Filters only narrow what the person may see. */
export function matchingItems(me: Me, { from, to, campaign_ids, user_ids }: Asked): SQL {
  const found = and(
    visibleItems(me),
    from === undefined ? undefined : gte(activityItems.date, from),
    to === undefined ? undefined : lte(activityItems.date, to),
    campaign_ids && ofThese(campaign_ids),
    user_ids && ofUsers(user_ids),
  )
  return found ?? sql`true`
}

function ofThese(keys: string[]): SQL {
  const { campaigns, teams } = sortedOut(keys)
  return sql`(${activityItems.campaign_id} = any(${sql.param(campaigns)}::int[])
    or ${activityItems.team_id} = any(${sql.param(teams)}::int[]))`
}

/** Written by one of them, or theirs to do. */
const ofUsers = (ids: number[]) => sql`(${activityItems.user_id} = any(${sql.param(ids)}::int[])
  or ${activityItems.assignee_id} = any(${sql.param(ids)}::int[]))`
