import { and, asc, eq } from 'drizzle-orm'
import { byteOrderMark, formatCsvLines } from '#core/csv/csv.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { getRefusedFileContext, importProblemsTable, importRefusedTable } from '../schema.ts'
import { readFieldReadings, toSureCell } from './column-readings.ts'
import { readImportFile, splitChunks } from './import-file.ts'
import type { ImportRow } from './import-task.ts'
import { dropReasonTitle, type ImportField, reasonTitle } from './importable.ts'
import { type CsvRecord, readCsvRecords } from './read-records.ts'
import { findFieldColumns } from './validate-rows.ts'

/** Keeps the refused lines of a file that is about to be deleted, encrypted like it. */
export async function keepRefusedLines(
  tx: Tx,
  { secrets }: AppContext,
  fields: readonly ImportField[],
  row: ImportRow,
  text: string,
): Promise<void> {
  if (row.refused === 0) return
  const content = secrets.seal(await formatRefusedLines(tx, fields, row, text), getRefusedFileContext(row.id))
  await tx.insert(importRefusedTable).values({ import_id: row.id, content })
}

/** Returns the refused lines as a CSV file with the column `Reason`; null if neither they nor the file are stored any more. */
export async function readRefusedLines(
  context: AppContext,
  fields: readonly ImportField[],
  row: ImportRow,
): Promise<string | null> {
  const [kept] = await context.db.select().from(importRefusedTable).where(eq(importRefusedTable.import_id, row.id))
  if (kept) return context.secrets.open(kept.content, getRefusedFileContext(row.id))
  const text = await readImportFile(context, row.id)
  return text === null ? null : formatRefusedLines(context.db, fields, row, text)
}

async function formatRefusedLines(
  db: DbOrTx,
  fields: readonly ImportField[],
  row: ImportRow,
  text: string,
): Promise<string> {
  const reasons = await readReasons(db, row.id)
  const toSure = await createSureWriter(fields, row, text)
  const width = row.titles.length
  const lines: { record: CsvRecord; reason: string }[] = []
  for await (const record of readCsvRecords(splitChunks(text))) {
    const reason = reasons.get(record.line)
    if (reason) lines.push({ record: toSure(record), reason })
  }
  const isWhole = (record: CsvRecord) => 'cells' in record && record.cells.length === width
  const before = lines.flatMap(({ record }) => (isWhole(record) ? fitCells(record, width).slice(-1) : []))
  const titles = before.length === 0 ? row.titles : dropReasonTitle(row.titles, row.columns, fields, before)
  const written = lines.map(({ record, reason }) => [
    // What is left over of a line that does not fit is kept, with its reason.
    ...(isWhole(record) ? fitCells(record, width).slice(0, titles.length) : fitCells(record, titles.length)),
    reason,
  ])
  return byteOrderMark + formatCsvLines([[...titles, reasonTitle], ...written])
}

/** Returns a function that writes a record's amounts and dates so that they mean the same in another file. */
async function createSureWriter(
  fields: readonly ImportField[],
  { titles, columns, readings }: ImportRow,
  text: string,
) {
  const found = await readFieldReadings(readCsvRecords(splitChunks(text)), fields, () => columns, readings)
  const columnsOf = findFieldColumns(titles, columns)
  const read = found.flatMap(({ field, as }) =>
    (columnsOf[field] ?? []).map((at) => ({ at, as, of: fields.find(({ name }) => name === field) ?? {} })),
  )
  return (record: CsvRecord): CsvRecord => {
    if ('broken' in record || record.cells.length !== titles.length) return record
    const cells = [...record.cells]
    for (const { at, as, of } of read) cells[at] = toSureCell(cells[at] ?? '', of, as)
    return { ...record, cells }
  }
}

/** Fits a record to the header's width: surplus cells are joined in the last one, and a broken line goes into the first. */
function fitCells(record: CsvRecord, width: number): string[] {
  const cells = 'broken' in record ? [record.text] : record.cells
  const extra = cells.slice(width - 1).join(',')
  return Array.from({ length: width }, (_, at) => (at === width - 1 ? extra : (cells[at] ?? '')))
}

/** Returns why each line was refused, one sentence per problem. */
async function readReasons(db: DbOrTx, importId: number): Promise<Map<number, string>> {
  const { id, line, column, says, import_id, kind } = importProblemsTable
  const found = await db
    .select({ line, column, says })
    .from(importProblemsTable)
    .where(and(eq(import_id, importId), eq(kind, 'refused')))
    .orderBy(asc(line), asc(id))
  const byLine = Map.groupBy(found, (one) => one.line)
  return new Map(
    [...byLine].map(([number, problems]) => [
      number,
      problems.map((one) => (one.column === null ? one.says : `${one.column}: ${one.says}`)).join('; '),
    ]),
  )
}
