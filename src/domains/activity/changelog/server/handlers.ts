import { inArray, sql } from 'drizzle-orm'
import { addDays, addMonths, today } from '#contract/days.ts'
import type { Queries } from '#core/db/db.ts'
import { invalid } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { users } from '#domains/access/schema.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { keyOf, sortedOut } from '#domains/activity/campaign-or-team.ts'
import { urlOf } from '#domains/activity/files/contract.ts'
import { activityItems } from '#domains/activity/schema.ts'
import { matchingItems } from '#domains/activity/server/filter.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { type ChangelogEntry, type ChangelogLine, type ChangelogQuery, changelog as contract } from '../contract.ts'

const mostDays = 732

export const changelogCalls = implement(contract, {
  grid: async ({ db, me, house, query }) => {
    const to = query.to ?? today(house.settings.AGENCY_TIMEZONE)
    const from = query.from ?? addMonths(to, -1)
    const days = daysBetween(from, to)
    const asked = { ...query, from, to }
    const lines = await linesOf(db, me, asked)
    const cells = cellsOf(lines, await entriesOf(db, me, asked))
    const totals = new Map(days.map((day) => [day, 0]))
    for (const { data } of Object.values(cells))
      for (const [day, { total }] of Object.entries(data)) totals.set(day, (totals.get(day) ?? 0) + total)
    return {
      total_changelog_count: [...totals.values()].reduce((sum, total) => sum + total, 0),
      days_list: Object.fromEntries([...totals].map(([day, total]) => [day, { total }])),
      sticky_campaigns: lines.filter(({ group }) => group === 0).map(lineOf),
      campaigns: lines.filter(({ group }) => group === 1).map(lineOf),
      teams: lines.filter(({ group }) => group === 2).map(lineOf),
      changelogs_by_campaign: cells,
    }
  },
})

type Asked = ChangelogQuery & { from: string; to: string }

function daysBetween(from: string, to: string): string[] {
  if (from > to) throw invalid({ to: ['The first day is after the last'] })
  const days = [from]
  while (days.at(-1)! < to) {
    if (days.length > mostDays) throw invalid({ to: ['At most two years can be shown'] })
    days.push(addDays(days.at(-1)!, 1))
  }
  return days
}

/** Under which the items of a line are answered: a campaign's id, a team's key. */
const nameOf = ({ type, id, key }: ChangelogLine) => (type === 'campaign' ? String(id) : key)

type Cells = Record<string, { data: Record<string, { total: number; data: ChangelogEntry[] }> }>

/** Every line is there, also one without entries. */
function cellsOf(lines: Line[], entries: Found[]): Cells {
  const cells: Cells = Object.fromEntries(lines.map((line) => [nameOf(line), { data: {} }]))
  for (const { name, date, entry } of entries) {
    const days = cells[name]?.data
    if (!days) continue // its line came between the two looks
    const cell = days[date] ?? { total: 0, data: [] }
    cell.data.push(entry)
    cell.total = cell.data.length
    days[date] = cell
  }
  return cells
}

const lineOf = ({ group: _, ...line }: Line): ChangelogLine => line

type Line = ChangelogLine & { group: 0 | 1 | 2 }

/**
 * Sticky campaigns, the others, the teams, each by name. An archived campaign and a team that was removed are there only as long as
 * there is something to show of them.
 */
async function linesOf(db: Queries, me: Me, asked: Asked): Promise<Line[]> {
  const wanted = asked.campaign_ids && sortedOut(asked.campaign_ids)
  const isWanted = (ids: number[] | undefined, id: unknown) =>
    ids ? sql`${id} = any(${sql.param(ids)}::int[])` : sql`true`
  const used = sql`select campaign_id, team_id from ${activityItems} where ${matchingItems(me, asked)}`
  const found = await db.execute<Line>(sql`
    with used as materialized (select distinct campaign_id, team_id from (${used}) found)
    select case when ${campaigns.fixed_to_top} then 0 else 1 end as "group", ${campaigns.id}, ${campaigns.name},
      ${campaigns.notes} as note, 'campaign' as type, 'campaign-' || ${campaigns.id} as key, lower(${campaigns.name}) as lower_name
    from ${campaigns}
    where ${inTheirCampaigns(me, campaigns.id) ?? sql`true`} and ${isWanted(wanted?.campaigns, campaigns.id)}
      and (not ${campaigns.archived} or ${campaigns.id} in (select campaign_id from used))
    union all
    select 2, teams.id, teams.name, teams.note, 'team', 'team-' || teams.id, lower(teams.name) from teams
    where ${isWanted(wanted?.teams, sql`teams.id`)}
      and (teams.deleted_at is null or teams.id in (select team_id from used))
    order by "group", lower_name, id`)
  return found.rows.map(({ group, id, name, note, type, key }) => ({ group, id, name, note, type, key }))
}

type Found = { name: string; date: string; entry: ChangelogEntry }
type Row = Pick<
  typeof activityItems.$inferSelect,
  'id' | 'campaign_id' | 'team_id' | 'date' | 'note' | 'user_id' | 'is_task' | 'is_done' | 'assignee_id' | 'version'
> & { created_at: string }

/**
 * In the order in which a cell shows them. PostgreSQL only hands over the rows: for a year of fifty thousand, joining, sorting
 * and building their JSON there took four times as long.
 */
async function entriesOf(db: Queries, me: Me, asked: Asked): Promise<Found[]> {
  const { rows } = await db.execute<Row>(sql`
    select id, campaign_id, team_id, date, note, user_id, is_task, is_done, assignee_id, version, created_at
    from ${activityItems} where ${matchingItems(me, asked)}`)
  const names = await usernamesOf(db, rows)
  const images = await imagesOf(db, me, asked)
  return rows
    .toSorted((a, b) => a.id - b.id)
    .map((row) => ({
      name: row.team_id === null ? String(row.campaign_id) : keyOf(row),
      date: row.date,
      entry: {
        id: row.id,
        note: row.note,
        created_at: new Date(row.created_at).toISOString(),
        user: { username: names.get(row.user_id) ?? '' },
        version: row.version,
        ...(row.is_task && { is_task: 1 as const, is_done: row.is_done ? (1 as const) : (0 as const) }),
        ...(row.assignee_id !== null && { assignee_id: row.assignee_id }),
        ...(images.has(row.id) && { files: images.get(row.id) }),
      },
    }))
}

async function usernamesOf(db: Queries, rows: Row[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map(({ user_id }) => user_id))]
  const found = await db.select({ id: users.id, username: users.username }).from(users).where(inArray(users.id, ids))
  return new Map(found.map(({ id, username }) => [id, username]))
}

/** Few items have any. */
async function imagesOf(db: Queries, me: Me, asked: Asked) {
  const { rows } = await db.execute<{ item_id: number; files: number[] }>(sql`
    select item_id, array_agg(file_id order by position, file_id) as files
    from activity_item_files join ${activityItems} on ${activityItems.id} = item_id
    where ${matchingItems(me, asked)} group by item_id`)
  return new Map(rows.map(({ item_id, files }) => [item_id, files.map((id) => ({ id, url: urlOf(id) }))]))
}
