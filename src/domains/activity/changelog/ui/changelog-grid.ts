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
  return { kind: 'line', key: line.key, line, cells }
}

// ——— measures, in pixels ———

export const gridHeaderHeight = 44
export const dayColumnWidth = 184
export const namesColumnWidth = 240

type GridMeasures = {
  /** In a cell; a click on what says how many more there are shows them all. */
  entries: number
  /** Of an entry. */
  lines: number
  /** Pixels under what is in a row. */
  gap: number
}
export const gridMeasures: Record<RowDensity, GridMeasures> = {
  compact: { entries: 3, lines: 1, gap: 0 },
  normal: { entries: 3, lines: 2, gap: 6 },
  comfortable: { entries: 5, lines: 3, gap: 16 },
}
const groupHeight = 32
const lineHeight = 16
const nameLineHeight = 18
const entryPadding = 12
/** What is between a column's edge and its text, on both sides. */
const [namePadding, entryInset] = [24, 24]
const addButtonHeight = 28
const cellPadding = 8
/** Wider than most characters of the entries' type, so that a line is never promised too few. */
const characterWidth = 7

/** Rows are as high as what is in them, reckoned from the texts so that none has to be measured while the grid is scrolled. */
export function getGridRowHeight(row: GridRow, isOpen: boolean, density: RowDensity): number {
  if (row.kind === 'group') return groupHeight
  const { entries, lines, gap } = gridMeasures[density]
  const most = isOpen ? Infinity : entries
  const cells = Object.values(row.cells).map(({ data }) => {
    const shown = data
      .slice(0, most)
      .reduce(
        (sum, { note }) => sum + entryPadding + lineHeight * countLines(note, dayColumnWidth - entryInset, lines),
        0,
      )
    return shown + (data.length > most ? addButtonHeight : 0)
  })
  return gap + Math.max(getNameHeight(row.line), cellPadding + Math.max(0, ...cells) + addButtonHeight)
}

/** A name, its note, and the way to change it. */
function getNameHeight({ name, note }: ChangelogLine): number {
  const width = namesColumnWidth - namePadding
  const noteHeight = note === '' ? 0 : lineHeight * countLines(note, width, 2)
  return 12 + nameLineHeight * countLines(name, width, 2) + noteHeight + addButtonHeight
}

function countLines(text: string, width: number, most: number): number {
  const perLine = Math.floor(width / characterWidth)
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0)
  return Math.min(most, lines)
}
