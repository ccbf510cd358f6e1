import { eq, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { conflictError, notFoundError, validationError } from '#core/http/errors.ts'
import { type AppContext, type EndpointCall, implementContract } from '#domains/app-context.ts'
import { contradictionMessage, formatPickColumn, type ImportFieldDto, importsContract } from '../contract.ts'
import { type ImportKind, importKinds, isImportDraft } from '../labels.ts'
import { importFilesTable, importProblemsTable, importsTable } from '../schema.ts'
import { listFieldReadings, listReadingChoices, type ReadingAnswers, readFieldReadings } from './column-readings.ts'
import {
  readColumnValues,
  readCsvHeader,
  readFirstValues,
  readImportFile,
  receiveCsv,
  sealImportFile,
  splitChunks,
} from './import-file.ts'
import { type ImportRow, type ImportTask, processQueue, undoQueue } from './import-task.ts'
import {
  dropReasonTitle,
  findMissingFields,
  guessColumns,
  type ImportDefinitions,
  type ImportField,
  type ValueMapping,
} from './importable.ts'
import { findNearNames } from './near-names.ts'
import { readImport, readImportProblems, readImportsPage, readProblemGroups } from './queries.ts'
import { readCsvRecords } from './read-records.ts'
import { readRefusedLines } from './refused-lines.ts'

export const createImportsHandlers = (definitions: ImportDefinitions) =>
  implementContract(importsContract, {
    list: ({ db, query }) => readImportsPage(db, query),

    fields: () =>
      Object.fromEntries(importKinds.map((kind) => [kind, definitions[kind].fields.map(toImportField)])) as Record<
        ImportKind,
        ImportFieldDto[]
      >, // every kind has its entry

    upload: async ({ db, me, query, context, request }) => {
      const { name, size, text } = await receiveCsv(request)
      const { titles, lines } = await readCsvHeader(text)
      const { kind } = query
      const { fields, matchColumns } = definitions[kind]
      const values = await readFirstValues(readCsvRecords(splitChunks(text)))
      const columns = matchColumns?.(titles, values) ?? guessColumns(fields, titles, values)
      return db.transaction(async (tx) => {
        const row = { kind, user_id: me.id, file_name: name, size, titles, columns, lines }
        const [made] = await tx.insert(importsTable).values(row).returning({ id: importsTable.id })
        const { id } = made!
        await tx.insert(importFilesTable).values({ import_id: id, content: sealImportFile(context, id, text) })
        return readImport(tx, id)
      })
    },

    get: ({ db, params }) => readImport(db, params.id),

    columns: async ({ db, context, params }) => {
      const { row, samples, words, readings } = await readStoredColumns(db, context, params.id)
      const columns = row.titles.map((title, index) => ({
        title: title || `Column ${index + 1}`,
        samples: samples[index] ?? [],
        words: words[index] ?? [],
      }))
      const { fields } = definitions[row.kind]
      const found = listFieldReadings(fields, row.columns, (at) => readings.get(at), row.readings)
      return {
        columns,
        chosen: row.columns,
        values: row.values,
        readings: found.map(({ field, as, asked, preset }) => ({ field, as, asked, preset })),
      }
    },

    readings: async ({ db, context, params }) => {
      const { row, samples, readings } = await readStoredColumns(db, context, params.id)
      const { fields, listKeptColumns } = definitions[row.kind]
      return {
        columns: row.titles.map((_, index) => readings.get(index)!),
        answers: row.readings,
        kept: listKeptColumns?.(dropReasonTitle(row.titles, {}, fields, samples.at(-1) ?? []), {}) ?? [],
      }
    },

    names: async ({ db, params, query: { field, search } }) => {
      const { kind } = await readImport(db, params.id)
      const names = (await definitions[kind].listNames?.(db, field)) ?? []
      return { names: findNearNames(names, search) }
    },

    check: (call) =>
      call.db.transaction(async (tx) => {
        const { columns, values, readings } = call.body
        const row = await lockImport(tx, call.params.id)
        if (!isImportDraft(row.state)) throw conflictError('This file was imported already')
        validateColumns(definitions[row.kind].fields, row, call.body)
        await tx.delete(importProblemsTable).where(eq(importProblemsTable.import_id, row.id))
        return startTask(tx, call, {
          row,
          queue: processQueue,
          set: { ...resetCounts, state: 'checking', columns, values, readings },
        })
      }),

    problems: async ({ db, params, query }) => {
      await readImport(db, params.id)
      return readImportProblems(db, params.id, query)
    },

    groups: async ({ db, params, query }) => {
      await readImport(db, params.id)
      return readProblemGroups(db, params.id, query)
    },

    refused: async ({ db, context, params, reply }) => {
      const [row] = await db.select().from(importsTable).where(eq(importsTable.id, params.id))
      if (!row) throw notFoundError()
      const csv = row.refused === 0 ? null : await readRefusedLines(context, definitions[row.kind].fields, row)
      if (csv === null)
        throw conflictError(row.refused === 0 ? 'No line is refused' : 'The refused lines are no longer stored')
      reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${importsContract.refused.file}"`,
        })
        .send(csv)
    },

    run: async (call) => {
      await assertReadable(call, definitions)
      return call.db.transaction(async (tx) => {
        const row = await lockImport(tx, call.params.id)
        if (row.state === 'running') return startTask(tx, call, { row, queue: processQueue, set: {} })
        if (row.state !== 'checked') throw conflictError('This file has to be checked first')
        if (row.fresh === 0) throw conflictError('There is nothing new in this file')
        await definitions[row.kind].assertRunnable?.(tx, call.me, call.context)
        return startTask(tx, call, { row, queue: processQueue, set: { ...resetCounts, state: 'running' } })
      })
    },

    undo: (call) =>
      call.db.transaction(async (tx) => {
        const row = await lockImport(tx, call.params.id)
        if (row.state === 'undoing') return startTask(tx, call, { row, queue: undoQueue, set: {} })
        if (row.state !== 'done') throw conflictError('Only an import that is done can be undone')
        if (row.made === 0) throw conflictError('This import created nothing')
        return startTask(tx, call, { row, queue: undoQueue, set: { state: 'undoing' } })
      }),

    discard: ({ db, params }) =>
      db.transaction(async (tx) => {
        const row = await lockImport(tx, params.id)
        if (!isImportDraft(row.state)) throw conflictError('This file was imported already: undo the import instead')
        await tx.delete(importsTable).where(eq(importsTable.id, row.id))
      }),
  })

const resetCounts = { reached: 0, fresh: 0, known: 0, refused: 0 }

const toImportField = (field: ImportField): ImportFieldDto => ({
  name: field.name,
  label: field.label,
  required: field.required ?? false,
  about: field.about ?? null,
  choices: field.choices ? [...field.choices] : null,
  is_reference: field.isReference ?? false,
  reads: field.reads ?? null,
})

function validateColumns(
  fields: readonly ImportField[],
  { titles }: ImportRow,
  { columns, values, readings }: { columns: Record<string, number>; values: ValueMapping; readings: ReadingAnswers },
) {
  const wrong = Object.entries(columns).flatMap(([name, index]) => {
    if (!fields.some((field) => field.name === name)) return [[name, ['There is no such field']]]
    return index < titles.length ? [] : [[name, ['The file has no such column']]]
  })
  for (const name of Object.keys(values))
    if (!fields.some((field) => field.name === name)) wrong.push([name, ['There is no such field']])
  for (const [name, as] of Object.entries(readings))
    if (!fields.some((field) => field.name === name && listReadingChoices(field).includes(as)))
      wrong.push([name, ['This column cannot be read like that']])
  // A value for every line counts as a column.
  const filled = Object.entries(values).flatMap(([name, words]) => (words[''] ? [[name, 0]] : []))
  const missing = findMissingFields(fields, { ...Object.fromEntries(filled), ...columns }).map(({ name, label }) => [
    name,
    [formatPickColumn(label)],
  ])
  if (wrong.length + missing.length > 0) throw validationError(Object.fromEntries([...wrong, ...missing]))
}

async function readStoredColumns(db: DbOrTx, context: AppContext, id: number) {
  const [row] = await db.select().from(importsTable).where(eq(importsTable.id, id))
  const text = row && (await readImportFile(context, row.id))
  if (!text) throw row ? conflictError('The file is no longer stored') : notFoundError()
  return { row, ...(await readColumnValues(text, row.titles.length)) }
}

/** Throws 422 if a column contradicts itself and no one has said how it is read. */
async function assertReadable(
  { db, context, params }: Pick<EndpointCall<unknown>, 'db' | 'context'> & { params: { id: number } },
  definitions: ImportDefinitions,
) {
  const [row] = await db.select().from(importsTable).where(eq(importsTable.id, params.id))
  const text = row?.state === 'checked' ? await readImportFile(context, row.id) : null
  if (!row || text === null) return
  const { fields } = definitions[row.kind]
  const readings = await readFieldReadings(readCsvRecords(splitChunks(text)), fields, () => row.columns, row.readings)
  const contradicting = readings.filter(({ contradicts }) => contradicts)
  if (contradicting.length > 0)
    throw validationError(Object.fromEntries(contradicting.map(({ field }) => [field, [contradictionMessage]])))
}

async function lockImport(tx: Tx, id: number): Promise<ImportRow> {
  const [row] = await tx.select().from(importsTable).where(eq(importsTable.id, id)).for('update')
  if (!row) throw notFoundError()
  return row
}

type TaskStart = {
  row: ImportRow
  queue: { name: string }
  set: Partial<typeof importsTable.$inferInsert>
}

/** Starts a task, or sends another job to resume it. The new round makes earlier jobs do nothing. */
async function startTask(
  tx: Tx,
  { me, context, actor }: Pick<EndpointCall<unknown>, 'me' | 'context' | 'actor'>,
  { row, queue, set }: TaskStart,
) {
  const round = row.round + 1
  await tx
    .update(importsTable)
    .set({ ...set, round, problem: null, updated_at: sql`now()` })
    .where(eq(importsTable.id, row.id))
  const { requestId, address } = actor
  await context.jobs.send<ImportTask>(tx, queue, {
    id: row.id,
    round,
    by: me.id,
    ...(requestId && { requestId }),
    ...(address && { address }),
  })
  return readImport(tx, row.id)
}
