import { eq, type SQL, sql } from 'drizzle-orm'
import { sendCsv } from '#core/csv/csv-stream.ts'
import { buildCsvColumns } from '#core/csv/field-csv.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { JsonText } from '#core/http/json-text.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import type { ActivityItem } from '#domains/activity/contract.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { buildActivityItemsFilter } from '#domains/activity/server/filter.ts'
import { setTaskDone } from '#domains/activity/server/mutations.ts'
import {
  activityItemFieldsSql,
  activityItemsJoinSql,
  readActivityItemJson,
} from '#domains/activity/server/serializer.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { type ActivityLogQuery, type ActivityLogSort, activityLogContract } from '../contract.ts'
import { activityLogFields } from '../fields.ts'

export const activityLogHandlers = implementContract(activityLogContract, {
  list: async ({ db, me, query }) => new JsonText(await readActivityLogPage(db, me, query)),

  csv: (call) =>
    sendCsv<ActivityItem>(call, {
      name: activityLogContract.csv.file,
      of: 'activity log',
      rows: buildItemsQuery(call.me, call.query),
      columns: activityLogCsvColumns,
    }),

  toggleStatus: async ({ db, me, actor, params, body }) => {
    const wanted = body?.is_done === undefined ? undefined : body.is_done === 1
    const json = await db.transaction(async (tx) => {
      await setTaskDone(tx, { me, actor }, params.id, wanted)
      return readActivityItemJson(tx, params.id)
    })
    return new JsonText(json)
  },
})

/**
 * Returns a page of the log with its total, as JSON. The index on the date finds the page; names and images are read
 * for that page only.
 */
async function readActivityLogPage(db: DbOrTx, me: CurrentUser, query: ActivityLogQuery): Promise<string> {
  const { page, per_page } = query
  const answer = await db.execute<{ json: string }>(sql`
    select json_build_object(
      'data', coalesce((select json_agg(item) from (
        ${buildItemsQuery(me, query, sql`limit ${per_page} offset ${(page - 1) * per_page}`)}) item), '[]'),
      'total', (select count(*) from ${activityItemsTable} where ${buildLogFilter(me, query)}))::text as json`)
  return answer.rows[0]!.json
}

/** Builds the ordered query, optionally limited. */
function buildItemsQuery(me: CurrentUser, query: ActivityLogQuery, limit: SQL = sql``): SQL {
  const direction = sql.raw(query.order)
  const { key, among } = logSortKeys[query.sort]
  return sql`
    with page as materialized (
      select id, row_number() over () as place from (
        select ${activityItemsTable.id} from ${activityItemsTable} ${among ?? sql``} where ${buildLogFilter(me, query)}
        order by ${isWorkList(query) ? workOrderSql : sql`${key} ${direction} ${query.sort === 'date' ? sql`` : nullsLastSql}, ${activityItemsTable.id} ${direction}`}
        ${limit}) sorted)
    select ${activityItemFieldsSql} from page join (${activityItemsJoinSql}) on page.id = ${activityItemsTable.id} order by page.place`
}

/** Whether the caller's tasks are requested in the default order. */
const isWorkList = ({ my_tasks, sort, order }: ActivityLogQuery) =>
  my_tasks === 1 && sort === 'date' && order === 'desc'
/** Open tasks by day, so overdue ones come first; then done tasks, latest first. */
const workOrderSql = sql`${activityItemsTable.is_done}, case when not ${activityItemsTable.is_done} then ${activityItemsTable.date} end,
  ${activityItemsTable.date} desc, ${activityItemsTable.id} desc`

const buildLogFilter = (me: CurrentUser, query: ActivityLogQuery) =>
  sql`${buildActivityItemsFilter(me, query)} and ${query.my_tasks ? eq(activityItemsTable.assignee_id, me.id) : sql`true`}`

/** Ranks the names once instead of per item: there are few of them, and numbers sort faster. */
const rankedUsernamesSql = sql`(select id, dense_rank() over (order by fold_text(username)) as place from ${usersTable})`
const rankedOwnersSql = sql`(select kind, id, dense_rank() over (order by fold_text(name)) as place from (
  select 'campaign' as kind, id, name from ${campaignsTable} union all select 'team', id, name from ${teamsTable}) named)`

const logSortKeys: Record<ActivityLogSort, { key: SQL; among?: SQL }> = {
  date: { key: sql`${activityItemsTable.date}` },
  campaign: {
    key: sql`coalesce(campaign.place, team.place)`,
    among: sql`
      left join ${rankedOwnersSql} campaign on campaign.kind = 'campaign' and campaign.id = ${activityItemsTable.campaign_id}
      left join ${rankedOwnersSql} team on team.kind = 'team' and team.id = ${activityItemsTable.team_id}`,
  },
  note: { key: sql`lower(left(${activityItemsTable.note}, 200))` }, // not folded: there are many, and long
  user: {
    key: sql`author.place`,
    among: sql`join ${rankedUsernamesSql} author on author.id = ${activityItemsTable.user_id}`,
  },
  assignee: {
    key: sql`assignee.place`,
    among: sql`left join ${rankedUsernamesSql} assignee on assignee.id = ${activityItemsTable.assignee_id}`,
  },
  // Items that are not tasks are neither done nor open, and come last.
  is_done: { key: sql`case when ${activityItemsTable.is_task} then ${activityItemsTable.is_done} end` },
}
/** Not for the date, which is never null: `nulls last` would keep the index from being scanned backward. */
const nullsLastSql = sql`nulls last`

/** The columns of activity_log.csv: those of the table. */
const activityLogCsvColumns = buildCsvColumns<typeof activityLogFields, ActivityItem>(activityLogFields, {
  campaign: ({ campaign, team }) => (team ?? campaign)?.name,
  files: ({ files }) => files.length,
  user: ({ user }) => user.username,
  assignee: ({ assignee }) => assignee?.username,
  is_done: ({ is_task, is_done }) => (is_task ? (is_done ? 'Yes' : 'No') : null),
})
