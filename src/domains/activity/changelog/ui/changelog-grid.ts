import type { ResponseOf } from '#contract/endpoint.ts'
import type { RowDensity } from '#ui/table/density.ts'
import type { ChangelogEntry, ChangelogLine, changelogContract } from '../contract.ts'

/** What the grid draws: its days, the latest first, and its rows, headings of groups among them. */
export type ChangelogGridData = { days: { day: string; total: number }[]; rows: GridRow[] }
export type GridRow = { kind: 'group'; key: string; title: string } | LineRow
export type LineRow = {
  kind: 'line'
  key: string
  line: ChangelogLine
  cells: Readonly<Record<string, { total: number; data: ChangelogEntry[] }>>
  /** The entries of its fullest cell. */
  most: number
}

type ChangelogAnswer = ResponseOf<typeof changelogContract.grid>

export function buildChangelogGrid(answer: ChangelogAnswer): ChangelogGridData {
  const days = Object.entries(answer.days_list).map(([day, { total }]) => ({ day, total }))
  return {
    days: days.toSorted((a, b) => (a.day < b.day ? 1 : -1)),
    rows: [
      ...buildGroupRows(answer, 'Sticky campaigns', answer.sticky_campaigns),
      ...buildGroupRows(answer, 'Campaigns', answer.campaigns),
      ...buildGroupRows(answer, 'Teams', answer.teams),
    ],
  }
}

/** Without a line there is no heading. */
function buildGroupRows(answer: ChangelogAnswer, title: string, lines: ChangelogLine[]): GridRow[] {
  if (lines.length === 0) return []
  return [{ kind: 'group', key: title, title }, ...lines.map((line) => buildLineRow(answer, line))]
}

function buildLineRow({ changelogs_by_campaign }: ChangelogAnswer, line: ChangelogLine): LineRow {
  const cells = changelogs_by_campaign[line.type === 'team' ? line.key : line.id]?.data ?? {}
  const most = Object.values(cells).reduce((found, { total }) => Math.max(found, total), 0)
  return { kind: 'line', key: line.key, line, cells, most }
}

// ——— measures, in pixels ———

export const gridHeaderHeight = 44
export const dayColumnWidth = 184
/** A phone has less room for the names. */
export const getNamesColumnWidth = () => (innerWidth < 600 ? 136 : 240)

type GridMeasures = {
  /** In a cell; a click on what says how many more there are shows them all. */
  entries: number
  /** Of an entry. */
  lines: number
  /** What a row has at least: a name, its note, and the way to change it. */
  least: number
}
export const gridMeasures: Record<RowDensity, GridMeasures> = {
  compact: { entries: 3, lines: 1, least: 72 },
  normal: { entries: 3, lines: 2, least: 106 },
  comfortable: { entries: 5, lines: 3, least: 124 },
}
const groupHeight = 32
const lineHeight = 16
const entryPadding = 12
const addButtonHeight = 28
const cellPadding = 8

/** Rows are as high as their fullest cell, so that none has to be measured while the grid is scrolled. */
export function getGridRowHeight(row: GridRow, isOpen: boolean, density: RowDensity): number {
  if (row.kind === 'group') return groupHeight
  const { entries, lines, least } = gridMeasures[density]
  const shown = isOpen ? row.most : Math.min(row.most, entries)
  const more = !isOpen && row.most > entries ? addButtonHeight : 0
  return Math.max(least, cellPadding + shown * (lines * lineHeight + entryPadding) + more + addButtonHeight)
}
