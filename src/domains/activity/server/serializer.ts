import { sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { activityItems } from '../schema.ts'

/** What a row's fields are read from. */
export const itemsWithNames = sql`${activityItems}
  join users author on author.id = ${activityItems.user_id}
  left join users assignee on assignee.id = ${activityItems.assignee_id}
  left join campaigns campaign on campaign.id = ${activityItems.campaign_id}
  left join teams team on team.id = ${activityItems.team_id}`

/** An item's images in their order, as JSON. */
const images = sql`(
  select coalesce(json_agg(json_build_object('id', link.file_id, 'url', '/api/files/' || link.file_id)
    order by link.position, link.file_id), '[]')
  from activity_item_files link where link.item_id = ${activityItems.id})`

/** The columns of a row; PostgreSQL makes its JSON of them. */
export const itemFields = sql`${activityItems.id}, ${activityItems.date},
  json_build_object('id', author.id, 'username', author.username) as "user",
  ${activityItems.campaign_id}, ${activityItems.team_id},
  case when campaign.id is not null then json_build_object('id', campaign.id, 'name', campaign.name) end as campaign,
  case when team.id is not null then json_build_object('id', team.id, 'name', team.name) end as team,
  case when assignee.id is not null then json_build_object('id', assignee.id, 'username', assignee.username) end as assignee,
  ${activityItems.assignee_id}, coalesce(${activityItems.assignee_id}, ${activityItems.user_id}) as responsible_user_id,
  ${activityItems.is_task}::int, ${activityItems.is_done}::int, ${activityItems.note}, ${images} as files,
  to_char(${activityItems.created_at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at, ${activityItems.version}`

/** Items as they are answered, the JSON of an array, by id alone: who asks for them has been let in already. */
export async function itemsJson(db: Queries, ids: number[]): Promise<string> {
  const found = await db.execute<{ json: string }>(sql`
    select coalesce(json_agg(item order by item.id), '[]')::text as json
    from (select ${itemFields} from ${itemsWithNames} where ${activityItems.id} = any(${sql.param(ids)}::int[])) item`)
  return found.rows[0]!.json
}

/** One of them. */
export async function itemJson(db: Queries, id: number): Promise<string> {
  return (await itemsJson(db, [id])).slice(1, -1) // out of its array
}
