import { readMoment } from '#contract/read-date.ts'

/** What separates the cells of a file, and how many lines stand before its header. */
type RecordLayout = { separator: string; header: number }
/** `extra`: how many empty cells most lines have beyond the header, as where a separator ends each line but not the header. */
export type CsvLayout = RecordLayout & { extra: number }

/** So many lines are enough to see it. */
export const layoutLines = 40

const separators = [',', ';', '\t', '|', '^', '~']

/**
 * Detects the layout of a file from its first lines. A line `sep=;` says what separates the cells; otherwise it is what is most common
 * in the header and separates as many cells below. Tools write titles and dates of a report before the header: it is the first line
 * that is as wide as the others.
 */
export function detectCsvLayout(lines: readonly string[]): CsvLayout {
  const records = joinQuotedLines(lines)
  const { separator, header } = detectRecordLayout(records.map(({ text }) => text))
  const [titles = '', ...filled] = records.slice(header).flatMap(({ text }) => (text.trim() === '' ? [] : [text]))
  const extra = findUsualSurplus(filled, separator, countCells(titles, separator))
  return { separator, header: records[header]?.at ?? 0, extra }
}

/** Lines of separators alone do not count, nor those that a value may have made wider, if there are others. */
function findUsualSurplus(lines: readonly string[], separator: string, width: number): number {
  const counted = lines.filter((line) => {
    const cells = splitCells(line, separator)
    return cells.length >= width && cells.some(Boolean) && !cells.slice(width).some(Boolean)
  })
  const whole = counted.filter((line) => !mayBeSplit(line, separator))
  const surpluses = (whole.length > 0 ? whole : counted).map((line) => countCells(line, separator) - width)
  const groups = [...Map.groupBy(surpluses, (surplus) => surplus)]
  return groups.toSorted(([one, a], [other, b]) => b.length - a.length || one - other)[0]?.[0] ?? 0
}

/**
 * Returns whether a value with a separator in it may stand in two cells: in `Otter, Joan`, a space is between the comma and what goes on
 * behind a word, and the commas between other cells have none.
 */
export function mayBeSplit(line: string, separator: string): boolean {
  const cells = line.replace(quotedCells(separator), '').split(separator)
  const isSpaced = (cell: string) => /^ +[\p{L}\d]/u.test(cell)
  const isWord = (cell: string) => !cell.includes('@') && /\p{L}/u.test(cell)
  return (
    cells.slice(1).some((cell) => /^[\p{L}\d]/u.test(cell)) &&
    cells.some((cell, at) => isSpaced(cell) && isWord(cells[at - 1] ?? ''))
  )
}

/** The same for records, each as one line: `header` counts records. */
function detectRecordLayout(lines: readonly string[]): RecordLayout {
  const [, stated] = /^"?sep= ?(.)"?[,;\t|^~]*$/i.exec(lines[0] ?? '') ?? []
  if (stated) return { separator: stated, header: 1 + (findWideHeader(lines.slice(1), stated, stated) ?? 0) }
  const first = lines.findIndex((line) => line.trim() !== '')
  const count = (one: string) => countCells(lines[first], one)
  const [usual] = separators.toSorted(
    (a, b) => countAgreeingCells(lines, first, b) - countAgreeingCells(lines, first, a) || count(b) - count(a),
  ) as [string]
  const width = findUsualWidth(lines, usual)
  if (width > 1 && width === countCells(lines[first], usual) && isFilled(lines[first] ?? '', usual, width))
    return { separator: usual, header: findTitleWords(lines, usual, first) }
  const [widest = usual] = separators.toSorted((a, b) => findUsualWidth(lines, b) - findUsualWidth(lines, a))
  const header = findWideHeader(lines, widest, usual)
  return header === null ? { separator: usual, header: 0 } : { separator: widest, header }
}

/**
 * Counts the cells of the lines that fit under the first one: a form's question may list its answers, `Roof; Gutters; Siding`. Programs leave
 * out the last cells where they are empty.
 */
function countAgreeingCells(lines: readonly string[], first: number, separator: string): number {
  const width = countCells(lines[first], separator)
  const rows = lines.slice(first + 1).map((line) => splitCells(line, separator))
  const fitting = rows.filter((cells) => cells.length > 1 && !cells.slice(width).some(Boolean))
  return width < 2 ? 0 : fitting.reduce((sum, { length }) => sum + Math.min(length, width), 0)
}

/**
 * Puts the lines of a cell with line breaks together, each record with the line it begins at. Whatever separates the cells, a quote opens
 * one only where it begins. One that is still open at the end of what is looked at has its further lines left out.
 */
function joinQuotedLines(lines: readonly string[]): { text: string; at: number }[] {
  const records: { text: string; at: number }[] = []
  for (let at = 0; at < lines.length; ) {
    let [text, end] = [lines[at]!, at + 1]
    while (openQuote.test(text.replace(closedCells, '')) && end < lines.length) text += ` ${lines[end++]}`
    const isOpen = openQuote.test(text.replace(closedCells, ''))
    records.push({ text: isOpen ? lines[at]! : text, at })
    at = isOpen && lines.length < layoutLines ? at + 1 : end
  }
  return records
}
const closedCells = /(?<=^|[,;\t|^~])\s*=?"(?:[^"]|"")*"(?!")/g
const openQuote = /(?:^|[,;\t|^~])\s*=?"/

/**
 * Returns whether each line stands in quotes as a whole, as a spreadsheet writes it that had the file in one column: `"Date,Name,Phone"`.
 * A column of names such as `"Otter, Joan"` is narrower.
 */
export function areLinesQuoted(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '')
  const bare = filled.map(unquoteLine)
  if (filled.length < 2 || bare.some((line, at) => line === filled[at])) return false
  const { separator } = detectCsvLayout(bare)
  const width = countCells(bare[0], separator)
  return width > 2 && bare.every((line) => countCells(line, separator) === width)
}

export const unquoteLine = (line: string): string =>
  /^\s*"((?:[^"]|"")*)"\s*$/.exec(line)?.[1]?.replaceAll('""', '"') ?? line

/**
 * Returns the index of the header where a report's title is as wide as the lines: of the first lines, the one with the words of titles,
 * if the first one has nearly none.
 */
function findTitleWords(lines: readonly string[], separator: string, first: number): number {
  const width = countCells(lines[first], separator)
  const count = (line: string) => countTitleWords(splitCells(line, separator))
  const most = count(lines[first] ?? '') * 3
  const found = lines.findIndex((line, at) => {
    if (at <= first || at > first + 8 || countCells(line, separator) !== width) return false
    const cells = splitCells(line, separator)
    return findDataValue(cells) === undefined && new Set(cells).size === width && count(line) >= Math.max(2, most)
  })
  return found === -1 || !lines.slice(found + 1).some((line) => line.trim() !== '') ? 0 : found
}

const countTitleWords = (cells: readonly string[]) => cells.filter((cell) => titleWords.test(cell)).length

/** A title is short: `Date`, `First Name`, `Phone Number`. */
const titleWords =
  /^(?:[\w-]+ ){0,2}(?:date|time|name|phone|e-?mail|number|campaign|client|company|source|value|amount|message|notes?|status|type|duration|city|state|zip|address|id|created|category|url|website|domain)(?: (?:\w+|\(\w+\)))?$/i

/**
 * Returns the index of the header after lines that are narrower or mostly empty; null if the first line, whose cells `usual` separates, may
 * be it.
 */
function findWideHeader(lines: readonly string[], separator: string, usual: string): number | null {
  const width = findUsualWidth(lines, separator)
  const first = splitCells(lines.find((line) => line.trim() !== '') ?? '', usual)
  const isNearlyAsWide = width > 4 && first.filter(Boolean).length > width / 2
  if (width < 2 || isNearlyAsWide) return null
  const found = lines.findIndex(
    (line) =>
      countCells(line, separator) === width &&
      isFilled(line, separator, width) &&
      findDataValue(splitCells(line, separator)) === undefined,
  )
  const isFollowed = lines.slice(found + 1).some((line) => line.trim() !== '')
  if (found === -1 || !isFollowed) return null
  const between = lines.slice(lines.findIndex((line) => line.trim() !== '') + 1, found)
  const isApart = between.some((line) => !splitCells(line, usual).some(Boolean))
  return isTitledAbove(first, splitCells(lines[found] ?? '', separator), isApart) ? null : found
}

/**
 * Returns whether the first line is rather a header than a wider one is, as where a separator ends each line but the header; of a block
 * that an empty line ends it is that of a report.
 */
function isTitledAbove(first: readonly string[], below: readonly string[], isApart: boolean): boolean {
  const above = first.slice(0, first.findLastIndex(Boolean) + 1) // a spreadsheet fills up a report's title with empty cells
  const [count, other] = [countTitleWords(above), countTitleWords(below)]
  if (above.length < 2 || findDataValue(above) !== undefined || count < other) return false
  return !below.slice(above.length).some(Boolean) || (!isApart && count === above.length && count > other)
}

/** Returns the width that header and lines have in common. Most cells stand in lines of that width: a report's title is narrow. */
function findUsualWidth(lines: readonly string[], separator: string): number {
  const widths = lines.filter((line) => line.trim() !== '').map((line) => countCells(line, separator))
  const cells = [...Map.groupBy(widths, (width) => width)].flatMap(([width, { length }]) =>
    width > 1 && length > 1 ? [{ width, count: width * length }] : [],
  )
  const [most] = cells.toSorted((a, b) => b.count - a.count || b.width - a.width)
  return most?.width ?? (widths.length > 1 ? 1 : widths[0]) ?? 0
}

const isFilled = (line: string, separator: string, width: number) =>
  splitCells(line, separator).filter(Boolean).length > width / 2

const countCells = (line: string | undefined, separator: string) => splitCells(line ?? '', separator).length

/** Nearly enough: a quoted cell counts as one, whatever is in it. */
const splitCells = (line: string, separator: string) =>
  line
    .replace(quotedCells(separator), (quoted) => quoted.replaceAll(separator, ' '))
    .split(separator)
    .map((cell) => cell.replaceAll('"', '').trim())

/** A quote within a cell opens none: `5" pipe`. */
const quotedCells = (separator: string) =>
  new RegExp(`(?<=^|[${separator.replace(/[\\\]^-]/, '\\$&')}])\\s*=?"(?:[^"]|"")*"(?!")`, 'g')

/** Returns a title that is really a value, so that the line is no header. A year may be the title of a column beside others. */
export function findDataValue(titles: readonly string[]): string | undefined {
  const isHeader = countTitleWords(titles) > 1
  return titles.find((title) => isDataValue(title) && !(isHeader && /^(?:19|20)\d\d$/.test(title)))
}

/** Returns a title that is a value because it is a web address, as what stands below it: a column may be called Angi.com. */
export function findHostBelow(titles: readonly string[], below: readonly string[]): string | undefined {
  const words = titles.map((title) => title.replace(/[._]/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
  if (countTitleWords(words) > 1) return undefined
  return titles.find((title, at) => usualHost.test(title) && usualHost.test(below[at] ?? ''))
}
/** Some programs write titles with dots, and those may end as rare hosts do: `lead.name`, `page.host`. */
const usualHost = /^(?:https?:\/\/)?(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+(?:com|net|org|biz|us|io|ca)(?:\/\S*)?$/iu

/** Returns whether it is a number, date, phone, amount, email or URL. */
const isDataValue = (title: string) =>
  /^[$+(]?\d[\d\s.,:/()-]*$|^\S+@\S+$|^https?:\/\//i.test(title) ||
  (['mdy', 'dmy'] as const).some((order) => readMoment(title, order) !== null)
