import { eq, type SQL, sql } from 'drizzle-orm'
import { sendCsv } from '#core/csv/csv-stream.ts'
import type { Queries } from '#core/db/db.ts'
import { implement, JsonText } from '#core/http/handle.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import type { ActivityItem } from '#domains/activity/contract.ts'
import { activityItems } from '#domains/activity/schema.ts'
import { matchingItems } from '#domains/activity/server/filter.ts'
import { setDone } from '#domains/activity/server/mutations.ts'
import { itemFields, itemJson, itemsWithNames } from '#domains/activity/server/serializer.ts'
import { activityLog as contract, type LogQuery, type LogSort } from '../contract.ts'
import { columns } from './csv-columns.ts'

export const activityLogCalls = implement(contract, {
  list: async ({ db, me, query }) => new JsonText(await logPage(db, me, query)),

  csv: async (call) => {
    const rows = items(call.me, call.query)
    await sendCsv<ActivityItem>(call, { name: contract.csv.file, of: 'activity log', rows, columns })
    return undefined
  },

  toggleStatus: async ({ db, me, actor, params, body }) => {
    const wanted = body?.is_done === undefined ? undefined : body.is_done === 1
    const json = await db.transaction(async (tx) => {
      await setDone(tx, { me, actor }, params.id, wanted)
      return itemJson(tx, params.id)
    })
    return new JsonText(json)
  },
})

/** A page of the log with its total. Names and images are read for the page alone, which the index on the date finds at once. */
async function logPage(db: Queries, me: Me, query: LogQuery): Promise<string> {
  const { page, per_page } = query
  const answer = await db.execute<{ json: string }>(sql`
    select json_build_object(
      'data', coalesce((select json_agg(item) from (
        ${items(me, query, sql`limit ${per_page} offset ${(page - 1) * per_page}`)}) item), '[]'),
      'total', (select count(*) from ${activityItems} where ${matching(me, query)}))::text as json`)
  return answer.rows[0]!.json
}

/** In their order; so many of them, or all. */
function items(me: Me, query: LogQuery, limit: SQL = sql``): SQL {
  const direction = sql.raw(query.order)
  const { key, among } = sorts[query.sort]
  return sql`
    with page as materialized (
      select id, row_number() over () as place from (
        select ${activityItems.id} from ${activityItems} ${among ?? sql``} where ${matching(me, query)}
        order by ${key} ${direction} ${query.sort === 'date' ? sql`` : nullsLast}, ${activityItems.id} ${direction}
        ${limit}) sorted)
    select ${itemFields} from page join (${itemsWithNames}) on page.id = ${activityItems.id} order by page.place`
}

const matching = (me: Me, query: LogQuery) =>
  sql`${matchingItems(me, query)} and ${query.my_tasks ? eq(activityItems.assignee_id, me.id) : sql`true`}`

/** Names are put in order once, not at each item: there are few of them, and numbers sort faster. */
const usernames = sql`(select id, dense_rank() over (order by lower(username)) as place from users)`
const names = sql`(select kind, id, dense_rank() over (order by lower(name)) as place from (
  select 'campaign' as kind, id, name from campaigns union all select 'team', id, name from teams) named)`

const sorts: Record<LogSort, { key: SQL; among?: SQL }> = {
  date: { key: sql`${activityItems.date}` },
  campaign: {
    key: sql`coalesce(campaign.place, team.place)`,
    among: sql`
      left join ${names} campaign on campaign.kind = 'campaign' and campaign.id = ${activityItems.campaign_id}
      left join ${names} team on team.kind = 'team' and team.id = ${activityItems.team_id}`,
  },
  note: { key: sql`lower(left(${activityItems.note}, 200))` },
  user: { key: sql`author.place`, among: sql`join ${usernames} author on author.id = ${activityItems.user_id}` },
  assignee: {
    key: sql`assignee.place`,
    among: sql`left join ${usernames} assignee on assignee.id = ${activityItems.assignee_id}`,
  },
  // What is no task is neither done nor open, and stands after both.
  is_done: { key: sql`case when ${activityItems.is_task} then ${activityItems.is_done} end` },
}
/** Every item has a date; saying where those without one stand would keep the index from being read backwards. */
const nullsLast = sql`nulls last`
