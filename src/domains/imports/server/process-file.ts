import { and, between, eq, sql } from 'drizzle-orm'
import { cutText } from '#contract/cut-text.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { importFilesTable, importProblemsTable, importRowsTable, importsTable } from '../schema.ts'
import { readFieldReadings } from './column-readings.ts'
import { lockStoredFile, readStoredFile, splitChunks } from './import-file.ts'
import {
  beginImportTask,
  findImportCaller,
  haltImportTask,
  type ImportRow,
  type ImportTask,
  lockImportTask,
} from './import-task.ts'
import type { ImportCaller, ImportDefinition, ImportDefinitions, ValuedProblem } from './importable.ts'
import { readCsvRecords } from './read-records.ts'
import { keepRefusedLines } from './refused-lines.ts'
import { findEmptyFields, type LineOutcome, validateLines } from './validate-rows.ts'

/**
 * Validates every line of a file, and writes the new ones when the import runs. Each commit holds some lines and the position in the
 * file, so that another worker, after a crash or at the same time, repeats nothing. Returns whether there is more to do.
 */
export async function processImport(
  context: AppContext,
  definitions: ImportDefinitions,
  task: ImportTask,
): Promise<'more' | 'over'> {
  const row = await beginImportTask(context.db, task, ['checking', 'running'])
  if (!row) return 'over'
  const stored = await readStoredFile(context, row.id)
  if (stored === null) return haltImportTask(context.db, task, 'The file is no longer stored: please upload it again')
  const { text } = stored
  const kind = definitions[row.kind]
  const isOver = context.jobs.createTimeLimit()
  let { reached } = row
  const readings = await readFieldReadings(
    readCsvRecords(splitChunks(text)),
    kind.fields,
    () => row.columns,
    row.readings,
  )
  const empty = await findEmptyFields(readCsvRecords(splitChunks(text)), kind.fields, () => row.columns)
  const { columns, values } = row
  const file = { chunks: splitChunks(text), columns: () => columns, values, readings, empty, after: reached }
  for await (const lines of validateLines(context, kind, file)) {
    if (isOver()) return 'more'
    const last = lines.at(-1)!.line
    const step = { row, stored, kind, lines, reached, last }
    const done = await runTransaction(context.db, (tx) => processBatch(tx, context, task, step))
    if (done !== 'done') return done
    reached = last
  }
  return finishImport(context, kind, task, stored)
}

type BatchStep = {
  row: ImportRow
  stored: NonNullable<Awaited<ReturnType<typeof readStoredFile>>>
  kind: ImportDefinition<unknown>
  lines: LineOutcome<unknown>[]
  reached: number
  last: number
}

/**
 * Returns `over` when another worker has processed these lines, the task was replaced, or its user may no longer import, and `more` when
 * the file was changed: the lines may be of a person who was erased.
 */
async function processBatch(
  tx: Tx,
  context: AppContext,
  task: ImportTask,
  { row, stored, kind, lines, reached, last }: BatchStep,
): Promise<'done' | 'more' | 'over'> {
  const now = await lockImportTask(tx, task)
  if (now?.state !== row.state || now.reached !== reached) return 'over'
  const by = await findImportCaller(tx, context, task)
  if (!by) return 'over'
  if (!(await lockStoredFile(tx, row.id, stored))) return 'more'
  const outcome = row.state === 'running' ? await writeNewLines(tx, by, kind, lines) : summarizeLines(lines)
  if (row.state === 'running') await deleteProblems(tx, row.id, lines[0]!.line, last)
  const titled = createTitleLookup(row, kind)
  const problems = outcome.refused.flatMap(({ line, wrong }) =>
    wrong.map(({ field, says, value }) => ({
      import_id: row.id,
      kind: 'refused' as const,
      line,
      column: titled(field),
      says: cutText(says, 500),
      value,
    })),
  )
  if (problems.length > 0) await tx.insert(importProblemsTable).values(problems)
  const made = outcome.made.map(({ line, id }) => ({ import_id: row.id, line, row_id: id }))
  if (made.length > 0) await tx.insert(importRowsTable).values(made)
  await tx
    .update(importsTable)
    .set({
      reached: last,
      fresh: sql`${importsTable.fresh} + ${outcome.fresh}`,
      known: sql`${importsTable.known} + ${outcome.known}`,
      refused: sql`${importsTable.refused} + ${outcome.refused.length}`,
      made: sql`${importsTable.made} + ${made.length}`,
      updated_at: sql`now()`,
    })
    .where(eq(importsTable.id, row.id))
  return 'done'
}

type RefusedLine = { line: number; wrong: ValuedProblem[] }
type BatchOutcome = { fresh: number; known: number; refused: RefusedLine[]; made: { line: number; id: number }[] }

function summarizeLines(lines: LineOutcome<unknown>[]): BatchOutcome {
  return {
    fresh: lines.filter(({ is }) => is === 'fresh').length,
    known: lines.filter(({ is }) => is === 'known').length,
    refused: lines.flatMap((one) => (one.is === 'refused' ? [{ line: one.line, wrong: one.wrong }] : [])),
    made: [],
  }
}

/** Counts actual outcomes: a line that was new at the check may exist by now, or be refused. */
async function writeNewLines(
  tx: Tx,
  by: ImportCaller,
  kind: ImportDefinition<unknown>,
  lines: LineOutcome<unknown>[],
): Promise<BatchOutcome> {
  const fresh = lines.flatMap((one) => (one.is === 'fresh' ? [one] : []))
  const rows = fresh.map(({ row }) => row)
  const written = rows.length > 0 ? await kind.write(tx, by, rows) : []
  const outcome = summarizeLines(lines)
  for (const [index, { line }] of fresh.entries()) {
    const result = written[index]!
    if (result === 'known') outcome.known += 1
    else if ('id' in result) outcome.made.push({ line, id: result.id })
    else outcome.refused.push({ line, wrong: result.map((one) => ({ ...one, value: null })) })
  }
  return { ...outcome, fresh: outcome.made.length }
}

const deleteProblems = (tx: Tx, id: number, first: number, last: number) =>
  tx
    .delete(importProblemsTable)
    .where(and(eq(importProblemsTable.import_id, id), between(importProblemsTable.line, first, last)))

/** Returns the file's title of a field, or our label for a field that the file lacks. */
function createTitleLookup({ columns, titles }: ImportRow, kind: ImportDefinition<unknown>) {
  const labels = new Map(kind.fields.map(({ name, label }) => [name, label]))
  return (field: string | null) =>
    field === null ? null : titles[columns[field] ?? -1] || (labels.get(field) ?? field)
}

/** Ends the task. Once the import is done, only the refused lines of its file are kept. */
function finishImport(
  context: AppContext,
  { fields }: ImportDefinition<unknown>,
  task: ImportTask,
  stored: BatchStep['stored'],
): Promise<'more' | 'over'> {
  return context.db.transaction(async (tx) => {
    const row = await lockImportTask(tx, task)
    if (row?.state === 'checking')
      await tx.update(importsTable).set({ state: 'checked', updated_at: sql`now()` }).where(eq(importsTable.id, row.id))
    if (row?.state !== 'running') return 'over'
    const by = await findImportCaller(tx, context, task)
    if (!by) return 'over'
    if (!(await lockStoredFile(tx, row.id, stored))) return 'more'
    await tx
      .update(importsTable)
      .set({ state: 'done', done_at: sql`now()`, updated_at: sql`now()` })
      .where(eq(importsTable.id, row.id))
    await keepRefusedLines(tx, context, fields, row, stored.text)
    await tx.delete(importFilesTable).where(eq(importFilesTable.import_id, row.id))
    const { kind, file_name, made, known, refused } = row
    await writeAudit(tx, by.actor, {
      kind: 'import',
      rowId: row.id,
      before: null,
      after: { kind, file_name, made, known, refused },
    })
    return 'over'
  })
}
