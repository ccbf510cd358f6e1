import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { activityItemsTable } from '../schema.ts'

/** The tables that `activityItemFieldsSql` reads. */
export const activityItemsJoinSql = sql`${activityItemsTable}
  join ${usersTable} author on author.id = ${activityItemsTable.user_id}
  left join ${usersTable} assignee on assignee.id = ${activityItemsTable.assignee_id}
  left join ${campaignsTable} campaign on campaign.id = ${activityItemsTable.campaign_id}
  left join ${teamsTable} team on team.id = ${activityItemsTable.team_id}`

/** An item's images in their order, as JSON. */
const itemImagesSql = sql`(
  select coalesce(json_agg(json_build_object('id', link.file_id, 'url', '/api/files/' || link.file_id)
    order by link.position, link.file_id), '[]')
  from activity_item_files link where link.item_id = ${activityItemsTable.id})`

/** The columns of a row, which PostgreSQL turns into JSON. */
export const activityItemFieldsSql = sql`${activityItemsTable.id}, ${activityItemsTable.date},
  json_build_object('id', author.id, 'username', coalesce(${activityItemsTable.author_name}, author.username)) as "user",
  ${activityItemsTable.campaign_id}, ${activityItemsTable.team_id},
  case when campaign.id is not null then json_build_object('id', campaign.id, 'name', campaign.name) end as campaign,
  case when team.id is not null then json_build_object('id', team.id, 'name', team.name) end as team,
  case when assignee.id is not null then json_build_object('id', assignee.id, 'username', assignee.username)
    when ${activityItemsTable.is_task} then json_build_object('id', author.id, 'username', ${activityItemsTable.assignee_name}) end as assignee,
  ${activityItemsTable.assignee_id}, coalesce(${activityItemsTable.assignee_id}, ${activityItemsTable.user_id}) as responsible_user_id,
  ${activityItemsTable.is_task}::int, ${activityItemsTable.is_done}::int, ${activityItemsTable.client_may_read}::int,
  ${activityItemsTable.note}, ${itemImagesSql} as files,
  to_char(${activityItemsTable.created_at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at, ${activityItemsTable.version}`

/** Returns items as a JSON array, by id only: the caller has checked access. */
export async function readActivityItemsJson(db: DbOrTx, ids: number[]): Promise<string> {
  const found = await db.execute<{ json: string }>(sql`
    select coalesce(json_agg(item order by item.id), '[]')::text as json
    from (select ${activityItemFieldsSql} from ${activityItemsJoinSql} where ${activityItemsTable.id} = any(${sql.param(ids)}::int[])) item`)
  return found.rows[0]!.json
}

/** Returns one item as JSON. The caller has checked access. */
export async function readActivityItemJson(db: DbOrTx, id: number): Promise<string> {
  return (await readActivityItemsJson(db, [id])).slice(1, -1) // without the array's brackets
}
