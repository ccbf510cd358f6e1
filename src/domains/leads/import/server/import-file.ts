import { createReadStream } from 'node:fs'
import { type DateOrder, type DecimalMark, readingExamples } from '#contract/column-reading.ts'
import { countOf } from '#contract/count-of.ts'
import { getErrorMessage } from '#contract/error-message.ts'
import { decodeCsvChunks } from '#core/csv/decode-csv.ts'
import { runTransaction } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import {
  type ColumnMapping,
  dropReasonTitle,
  type FirstValues,
  findEmptyFields,
  findMissingFields,
  type LineOutcome,
  type LineProblem,
  readCsvRecords,
  readFieldReadings,
  readFirstValues,
  validateLines,
} from '#domains/imports/public.ts'
import { leadImporter, writeImportedLeads } from './import-rows.ts'
import { listMessageColumns, matchLeadColumns } from './known-exports.ts'

type ImportOptions = {
  context: AppContext
  file: string
  /** Reports what would happen to each line, and writes nothing. */
  dryRun: boolean
  say: (line: string) => void
  /** How amounts and dates are read where their values do not show it. */
  readAs?: { dates?: DateOrder | undefined; decimal?: DecimalMark | undefined }
  /** Called after bad lines were reported. Returns whether to write the good ones; without it they are not written. */
  confirm?: () => Promise<boolean>
}
/** How many lines are new, already there or refused, and how many leads were written. */
type LeadImportCounts = { fresh: number; known: number; refused: number; written: number }

/**
 * Imports leads from a CSV file. Its columns are named like API fields, with `campaign` and `clientsite` by id, name or URL.
 * The file is read twice: first to report what would happen, then to write. No one is mailed.
 */
export async function importLeads({
  context,
  file,
  dryRun,
  say,
  readAs = {},
  confirm,
}: ImportOptions): Promise<LeadImportCounts> {
  const values = await readFirstValues(readCsvRecords(readChunks(file)))
  const { fields } = leadImporter
  const match = (titles: string[]) => matchColumns(titles, values, () => {})
  const readings = await readFieldReadings(readCsvRecords(readChunks(file)), fields, match, answerReadings(readAs))
  const empty = await findEmptyFields(readCsvRecords(readChunks(file)), fields, match)
  const contradicting = readings.filter(({ contradicts }) => contradicts)
  if (contradicting.length > 0) throw new ContradictionError(contradicting.map(({ field }) => field))
  for (const { field, as, asked } of readings) if (asked) say(`column ${field} is read as ${readingExamples[as]}`)
  const validate = (tell: (line: string) => void) =>
    validateLines(context, leadImporter, {
      chunks: readChunks(file),
      columns: (titles) => matchColumns(titles, values, tell),
      readings,
      empty,
    })
  const count: LeadImportCounts = { fresh: 0, known: 0, refused: 0, written: 0 }
  for await (const lines of validate(say)) {
    for (const one of lines) {
      count[one.is] += 1
      if (dryRun || one.is === 'refused') say(`line ${one.line}: ${describeOutcome(one)}`)
    }
  }
  say(`${count.fresh} new, ${count.known} already there, ${count.refused} refused`)
  if (dryRun || count.fresh === 0) return count
  if (count.refused > 0 && !(await confirm?.())) {
    say('Nothing was written')
    return count
  }
  for await (const lines of validate(() => {})) count.written += await writeNewLeads(context, lines)
  say(`${countOf(count.written, 'lead')} written`)
  return count
}

/** Thrown before anything is written. */
export class ContradictionError extends HttpError {
  constructor(fields: string[]) {
    super(
      422,
      `The values of ${fields.join(' and ')} could be read in different ways: say how they are read (--dates, --decimal)`,
    )
  }
}

const answerReadings = ({ dates, decimal }: NonNullable<ImportOptions['readAs']>) =>
  Object.fromEntries(
    leadImporter.fields.flatMap(({ name, reads }) => {
      const as = reads === 'amount' ? decimal : reads && dates
      return as ? [[name, as]] : []
    }),
  )

type JudgedLine = LineOutcome<Parameters<typeof writeImportedLeads>[2][number]>

function describeOutcome(one: JudgedLine): string {
  if (one.is === 'refused') return `refused: ${one.wrong.map(formatCellError).join('; ')}`
  if (one.is === 'known') return 'already exists, left unchanged'
  return `new: ${one.row.cells.lead_type} of ${one.row.cells.lead_date}`
}
const formatCellError = ({ field, says }: LineProblem) => (field === null ? says : `${field}: ${says}`)

function matchColumns(titles: string[], values: FirstValues, say: (line: string) => void): ColumnMapping {
  if (titles.length === 0) throw new HttpError(422, 'The file is empty')
  const columns = matchLeadColumns(leadImporter.fields, titles, values)
  const missing = findMissingFields(leadImporter.fields, columns)
  if (missing.length > 0)
    throw new HttpError(422, `The file has no column ${missing.map(({ name }) => name).join(', ')}`)
  const own = dropReasonTitle(titles, columns, leadImporter.fields, values[titles.length - 1] ?? [])
  const known = [...Object.values(columns), ...listMessageColumns(own, columns)]
  for (const [index, title] of titles.entries())
    if (!known.includes(index)) say(`column ${title} is unknown and left out`)
  return columns
}

async function* readChunks(file: string): AsyncGenerator<string> {
  try {
    yield* decodeCsvChunks(() => createReadStream(file))
  } catch (error) {
    throw new HttpError(422, `The file cannot be read: ${getErrorMessage(error)}`)
  }
}

/** Writes lines in one commit. Leads that already exist stay as they are, also those created since the file was read. */
async function writeNewLeads(context: AppContext, lines: JudgedLine[]): Promise<number> {
  const rows = lines.flatMap((one) => (one.is === 'fresh' ? [one.row] : []))
  if (rows.length === 0) return 0
  const written = await runTransaction(context.db, (tx) => writeImportedLeads(tx, context, rows))
  return written.filter((one) => one !== 'known' && 'id' in one).length
}
