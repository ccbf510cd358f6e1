import { sql } from 'drizzle-orm'
import type { Queries } from '#server/db.ts'
import { implement, JsonText } from '#server/implement.ts'
import type { Me } from '#server/me.ts'
import { matchingItems } from '../matching.ts'
import { setDone } from '../saving.ts'
import { itemFields, itemJson, itemsWithNames } from '../serializer.ts'
import { activityItems } from '../table.ts'
import { activityLog as contract, type LogQuery, type LogSort } from './contract.ts'

export const activityLogCalls = implement(contract, {
  list: async ({ db, me, query }) => new JsonText(await logPage(db, me, query)),

  toggleStatus: async ({ db, me, actor, params, body }) => {
    const wanted = body?.is_done === undefined ? undefined : body.is_done === 1
    const json = await db.transaction(async (tx) => {
      await setDone(tx, { me, actor }, params.id, wanted)
      return itemJson(tx, params.id)
    })
    return new JsonText(json)
  },
})

/** A page of the log with its total. Names and images are read for the page alone. */
async function logPage(db: Queries, me: Me, query: LogQuery): Promise<string> {
  const { page, per_page, my_tasks } = query
  const direction = sql.raw(query.order)
  const mine = my_tasks ? sql`and ${activityItems.assignee_id} = ${me.id}` : sql``
  const found = await db.execute<{ json: string }>(sql`
    with found as materialized (
      select ${activityItems.id}, ${sortKeys[query.sort]} as key from ${activityItems}
      where ${matchingItems(me, query)} ${mine}),
    page as materialized (
      select id, row_number() over () as place from (
        select id from found order by key ${direction} nulls last, id ${direction}
        limit ${per_page} offset ${(page - 1) * per_page}) sorted)
    select json_build_object(
      'data', coalesce((select json_agg(item) from (
        select ${itemFields} from page join (${itemsWithNames}) on page.id = ${activityItems.id}
        order by page.place) item), '[]'),
      'total', (select count(*) from found))::text as json`)
  return found.rows[0]!.json
}

const nameOf = {
  campaign: sql`coalesce((select lower(name) from campaigns where id = ${activityItems.campaign_id}),
    (select lower(name) from teams where id = ${activityItems.team_id}))`,
  user: (id: unknown) => sql`(select lower(username) from users where users.id = ${id})`,
}

const sortKeys = {
  date: sql`${activityItems.date}`,
  campaign: nameOf.campaign,
  note: sql`lower(left(${activityItems.note}, 200))`,
  user: nameOf.user(activityItems.user_id),
  assignee: nameOf.user(activityItems.assignee_id),
  // What is no task is neither done nor open, and stands after both.
  is_done: sql`case when ${activityItems.is_task} then ${activityItems.is_done} end`,
} satisfies Record<LogSort, unknown>
