import { inArray, sql } from 'drizzle-orm'
import { addDays, addMonths, getToday } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { toIsoTimestamp } from '#core/db/list-sql.ts'
import { validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { formatOwnerKey, splitOwnerKeys } from '#domains/activity/campaign-or-team.ts'
import { getFileUrl } from '#domains/activity/files/contract.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { buildActivityItemsFilter } from '#domains/activity/server/filter.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { type ChangelogEntry, type ChangelogLine, type ChangelogQuery, changelogContract } from '../contract.ts'

const maxRangeDays = 732

export const changelogHandlers = implementContract(changelogContract, {
  grid: async ({ db, me, context, query }) => {
    const to = query.to ?? getToday(context.settings.AGENCY_TIMEZONE)
    const from = query.from ?? addMonths(to, -1)
    const days = listRangeDays(from, to)
    const rangeQuery = { ...query, from, to }
    const lines = await readChangelogLines(db, me, rangeQuery)
    const cells = buildChangelogCells(lines, await readChangelogEntries(db, me, rangeQuery))
    const totals = new Map(days.map((day) => [day, 0]))
    for (const { data } of Object.values(cells))
      for (const [day, { total }] of Object.entries(data)) totals.set(day, (totals.get(day) ?? 0) + total)
    return {
      total_changelog_count: [...totals.values()].reduce((sum, total) => sum + total, 0),
      days_list: Object.fromEntries([...totals].map(([day, total]) => [day, { total }])),
      sticky_campaigns: lines.filter(({ group }) => group === 0).map(toChangelogLine),
      campaigns: lines.filter(({ group }) => group === 1).map(toChangelogLine),
      teams: lines.filter(({ group }) => group === 2).map(toChangelogLine),
      changelogs_by_campaign: cells,
    }
  },
})

type ChangelogRangeQuery = ChangelogQuery & { from: string; to: string }

function listRangeDays(from: string, to: string): string[] {
  if (from > to) throw validationError({ to: ['The first day is after the last'] })
  const days = [from]
  while (days.at(-1)! < to) {
    if (days.length > maxRangeDays) throw validationError({ to: ['At most two years can be shown'] })
    days.push(addDays(days.at(-1)!, 1))
  }
  return days
}

/** Returns the key of a line's items in the response: a campaign's id, a team's key. */
const getLineKey = ({ type, id, key }: ChangelogLine) => (type === 'campaign' ? String(id) : key)

type ChangelogCells = Record<string, { data: Record<string, { total: number; data: ChangelogEntry[] }> }>

/** Includes lines without entries. */
function buildChangelogCells(lines: GroupedLine[], entries: PlacedEntry[]): ChangelogCells {
  const cells: ChangelogCells = Object.fromEntries(lines.map((line) => [getLineKey(line), { data: {} }]))
  for (const { name, date, entry } of entries) {
    const days = cells[name]?.data
    if (!days) continue // its line was added between the two queries
    const cell = days[date] ?? { total: 0, data: [] }
    cell.data.push(entry)
    cell.total = cell.data.length
    days[date] = cell
  }
  return cells
}

const toChangelogLine = ({ group: _, ...line }: GroupedLine): ChangelogLine => line

type GroupedLine = ChangelogLine & { group: 0 | 1 | 2 }

/**
 * Returns sticky campaigns, other campaigns and teams, each group by name. Archived campaigns and removed teams appear
 * only if they have items in the range.
 */
async function readChangelogLines(
  db: DbOrTx,
  me: CurrentUser,
  rangeQuery: ChangelogRangeQuery,
): Promise<GroupedLine[]> {
  const wanted = rangeQuery.campaign_ids && splitOwnerKeys(rangeQuery.campaign_ids)
  const isWanted = (ids: number[] | undefined, id: unknown) =>
    ids ? sql`${id} = any(${sql.param(ids)}::int[])` : sql`true`
  const used = sql`select campaign_id, team_id from ${activityItemsTable} where ${buildActivityItemsFilter(me, rangeQuery)}`
  const found = await db.execute<GroupedLine>(sql`
    with used as materialized (select distinct campaign_id, team_id from (${used}) found)
    select case when ${campaignsTable.fixed_to_top} then 0 else 1 end as "group", ${campaignsTable.id}, ${campaignsTable.name},
      ${campaignsTable.notes} as note, 'campaign' as type, 'campaign-' || ${campaignsTable.id} as key, fold_text(${campaignsTable.name}) as name_order
    from ${campaignsTable}
    where ${inVisibleCampaigns(me, campaignsTable.id) ?? sql`true`} and ${isWanted(wanted?.campaigns, campaignsTable.id)}
      and (not ${campaignsTable.archived} or ${campaignsTable.id} in (select campaign_id from used))
    union all
    select 2, ${teamsTable.id}, ${teamsTable.name}, ${teamsTable.note}, 'team', 'team-' || ${teamsTable.id}, fold_text(${teamsTable.name})
    from ${teamsTable} where ${isWanted(wanted?.teams, teamsTable.id)}
      and (${teamsTable.deleted_at} is null or ${teamsTable.id} in (select team_id from used))
    order by "group", name_order, id`)
  return found.rows.map(({ group, id, name, note, type, key }) => ({ group, id, name, note, type, key }))
}

type PlacedEntry = { name: string; date: string; entry: ChangelogEntry }
type ChangelogItemRow = Pick<
  typeof activityItemsTable.$inferSelect,
  | 'id'
  | 'campaign_id'
  | 'team_id'
  | 'date'
  | 'note'
  | 'user_id'
  | 'author_name'
  | 'is_task'
  | 'is_done'
  | 'assignee_id'
  | 'client_may_read'
  | 'version'
> & { created_at: string }

/**
 * Returns the entries in the order in which a cell shows them. PostgreSQL only returns the rows: for a year of fifty
 * thousand, joining, sorting and building JSON there took four times as long.
 */
async function readChangelogEntries(
  db: DbOrTx,
  me: CurrentUser,
  rangeQuery: ChangelogRangeQuery,
): Promise<PlacedEntry[]> {
  const { rows } = await db.execute<ChangelogItemRow>(sql`
    select id, campaign_id, team_id, date, note, user_id, author_name, is_task, is_done, assignee_id, client_may_read, version, created_at
    from ${activityItemsTable} where ${buildActivityItemsFilter(me, rangeQuery)}`)
  const names = await readUsernames(db, rows)
  const images = await readItemImages(db, me, rangeQuery)
  return rows
    .toSorted((a, b) => a.id - b.id)
    .map((row) => ({
      name: row.team_id === null ? String(row.campaign_id) : formatOwnerKey(row),
      date: row.date,
      entry: {
        id: row.id,
        note: row.note,
        created_at: toIsoTimestamp(new Date(row.created_at)),
        user: { username: row.author_name ?? names.get(row.user_id) ?? '' },
        version: row.version,
        ...(row.is_task && { is_task: 1 as const, is_done: row.is_done ? (1 as const) : (0 as const) }),
        ...(row.assignee_id !== null && { assignee_id: row.assignee_id }),
        ...(row.client_may_read && { client_may_read: 1 as const }),
        ...(images.has(row.id) && { files: images.get(row.id) }),
      },
    }))
}

async function readUsernames(db: DbOrTx, rows: ChangelogItemRow[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map(({ user_id }) => user_id))]
  const found = await db
    .select({ id: usersTable.id, username: usersTable.username })
    .from(usersTable)
    .where(inArray(usersTable.id, ids))
  return new Map(found.map(({ id, username }) => [id, username]))
}

/** Read separately, because few items have images. */
async function readItemImages(db: DbOrTx, me: CurrentUser, rangeQuery: ChangelogRangeQuery) {
  const { rows } = await db.execute<{ item_id: number; files: number[] }>(sql`
    select item_id, array_agg(file_id order by position, file_id) as files
    from activity_item_files join ${activityItemsTable} on ${activityItemsTable.id} = item_id
    where ${buildActivityItemsFilter(me, rangeQuery)} group by item_id`)
  return new Map(rows.map(({ item_id, files }) => [item_id, files.map((id) => ({ id, url: getFileUrl(id) }))]))
}
