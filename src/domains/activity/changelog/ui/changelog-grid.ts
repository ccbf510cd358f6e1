import type { ResponseOf } from '#contract/endpoint.ts'
import type { RowDensity } from '#ui/table/density.ts'
import type { ChangelogEntry, ChangelogLine, changelogContract } from '../contract.ts'

/** The data of the grid: its days, latest first, and its rows, including group headers. */
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

/** A group without lines has no header. */
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
/** Ten days are in sight at 1440 pixels. */
export const dayColumnWidth = 98
export const namesColumnWidth = 192

type GridMeasures = {
  /** The most entries in a collapsed cell. */
  entries: number
  /** The most lines of an entry that is alone on its day; of several each has one. */
  lines: number
  /** The space below a row's content. */
  gap: number
}
export const gridMeasures: Record<RowDensity, GridMeasures> = {
  compact: { entries: 3, lines: 1, gap: 0 },
  normal: { entries: 2, lines: 2, gap: 2 },
  comfortable: { entries: 5, lines: 3, gap: 16 },
}
const groupHeight = 32
const lineHeight = 16
const nameLineHeight = 18
const entryPadding = 12
/** The total space left and right of a column's text. */
const [namePadding, entryInset] = [24, 20]
const moreButtonHeight = 28
const cellPadding = 8
/** Wider than most characters of the entries' font, so that estimated heights are never too small. */
const characterWidth = 7

/** Returns a row's height, estimated from its texts so that scrolling does not measure rows. */
export function getGridRowHeight(row: GridRow, isOpen: boolean, density: RowDensity): number {
  if (row.kind === 'group') return groupHeight
  const { entries, lines, gap } = gridMeasures[density]
  const most = isOpen ? Infinity : entries
  const cells = Object.values(row.cells).map(({ data }) => {
    const shown = data
      .slice(0, most)
      .reduce(
        (sum, { note }) =>
          sum + entryPadding + lineHeight * countLines(note, dayColumnWidth - entryInset, data.length > 1 ? 1 : lines),
        0,
      )
    return shown + (data.length > most ? moreButtonHeight : 0)
  })
  return gap + Math.max(getNameHeight(row.line), cellPadding + Math.max(0, ...cells))
}

/** The height of a name and its note. The button that edits the note lies over them. */
function getNameHeight({ name, note }: ChangelogLine): number {
  const width = namesColumnWidth - namePadding
  const noteHeight = note === '' ? 0 : lineHeight
  return 12 + nameLineHeight * countLines(name, width, 2) + noteHeight
}

function countLines(text: string, width: number, most: number): number {
  const perLine = Math.floor(width / characterWidth)
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0)
  return Math.min(most, lines)
}
