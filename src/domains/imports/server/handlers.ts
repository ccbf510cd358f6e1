import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { conflict, invalid, notFound } from '#core/http/errors.ts'
import { type Call, implement } from '#core/http/handle.ts'
import type { Job } from '#core/jobs/jobs.ts'
import { imports as contract, type Field, pickColumn } from '../contract.ts'
import { type ImportKind, importKinds, isDraft } from '../labels.ts'
import { importFiles, importProblems, imports } from '../schema.ts'
import { headOf, keptFile, receive, samplesOf, sealed } from './import-file.ts'
import { importables } from './import-kinds.ts'
import type { ImportRow, Task } from './import-task.ts'
import { guessColumns, missingFields } from './importable.ts'
import { goThroughFile, undoImport } from './jobs.ts'
import { importsPage, problemsPage, readImport } from './queries.ts'

export const importsCalls = implement(contract, {
  list: ({ db, query }) => importsPage(db, query),

  fields: () => Object.fromEntries(importKinds.map((kind) => [kind, fieldsOf(kind)])) as Record<ImportKind, Field[]>, // every kind has its entry

  upload: async ({ db, me, query, house, request }) => {
    const { name, size, text } = await receive(request)
    const { titles, lines } = await headOf(text)
    const { kind } = query
    const columns = guessColumns(importables[kind].fields, titles)
    return db.transaction(async (tx) => {
      const values = { kind, user_id: me.id, file_name: name, size, titles, columns, lines }
      const [made] = await tx.insert(imports).values(values).returning({ id: imports.id })
      const { id } = made!
      await tx.insert(importFiles).values({ import_id: id, content: sealed(house, id, text) })
      return readImport(tx, id)
    })
  },

  get: ({ db, params }) => readImport(db, params.id),

  columns: async ({ db, house, params }) => {
    const [row] = await db.select().from(imports).where(eq(imports.id, params.id))
    const text = row && (await keptFile(house, row.id))
    if (!text) throw row ? conflict('The file is not kept any more') : notFound()
    const samples = await samplesOf(text, row.titles.length)
    const columns = row.titles.map((title, index) => ({
      title: title || `Column ${index + 1}`,
      samples: samples[index] ?? [],
    }))
    return { columns, chosen: row.columns }
  },

  check: (call) =>
    call.db.transaction(async (tx) => {
      const { columns } = call.body
      const row = await hold(tx, call.params.id)
      if (!isDraft(row.state)) throw conflict('This file was imported already')
      checkColumns(row, columns)
      await tx.delete(importProblems).where(eq(importProblems.import_id, row.id))
      return start(tx, call, { row, job: goThroughFile, set: { ...anew, state: 'checking', columns } })
    }),

  problems: async ({ db, params, query }) => {
    await readImport(db, params.id)
    return problemsPage(db, params.id, query)
  },

  run: (call) =>
    call.db.transaction(async (tx) => {
      const row = await hold(tx, call.params.id)
      if (row.state === 'running') return start(tx, call, { row, job: goThroughFile, set: {} })
      if (row.state !== 'checked') throw conflict('This file has to be checked first')
      if (row.fresh === 0) throw conflict('There is nothing new in this file')
      return start(tx, call, { row, job: goThroughFile, set: { ...anew, state: 'running' } })
    }),

  undo: (call) =>
    call.db.transaction(async (tx) => {
      const row = await hold(tx, call.params.id)
      if (row.state === 'undoing') return start(tx, call, { row, job: undoImport, set: {} })
      if (row.state !== 'done') throw conflict('Only an import that is done can be undone')
      if (row.made === 0) throw conflict('This import made nothing')
      return start(tx, call, { row, job: undoImport, set: { state: 'undoing' } })
    }),

  discard: ({ db, params }) =>
    db.transaction(async (tx) => {
      const row = await hold(tx, params.id)
      if (!isDraft(row.state)) throw conflict('This file was imported already: undo the import instead')
      await tx.delete(imports).where(eq(imports.id, row.id))
      return undefined
    }),
})

const anew = { reached: 0, fresh: 0, known: 0, refused: 0 }

function fieldsOf(kind: ImportKind): Field[] {
  return importables[kind].fields.map(({ name, label, required = false, about = null }) => ({
    name,
    label,
    required,
    about,
  }))
}

function checkColumns({ kind, titles }: ImportRow, columns: Record<string, number>) {
  const { fields } = importables[kind]
  const wrong = Object.entries(columns).flatMap(([name, index]) => {
    if (!fields.some((field) => field.name === name)) return [[name, ['There is no such field']]]
    return index < titles.length ? [] : [[name, ['The file has no such column']]]
  })
  const missing = missingFields(fields, columns).map(({ name, label }) => [name, [pickColumn(label)]])
  if (wrong.length + missing.length > 0) throw invalid(Object.fromEntries([...wrong, ...missing]))
}

async function hold(tx: Tx, id: number): Promise<ImportRow> {
  const [row] = await tx.select().from(imports).where(eq(imports.id, id)).for('update')
  if (!row) throw notFound()
  return row
}

type Start = {
  row: ImportRow
  job: Job<Task>
  set: Partial<typeof imports.$inferInsert>
}

/** Begins a task, or sends another job to go on with one: whoever was sent before does nothing any more. */
async function start(
  tx: Tx,
  { me, house, actor }: Pick<Call<unknown>, 'me' | 'house' | 'actor'>,
  { row, job, set }: Start,
) {
  const round = row.round + 1
  await tx
    .update(imports)
    .set({ ...set, round, problem: null, updated_at: sql`now()` })
    .where(eq(imports.id, row.id))
  const { requestId, address } = actor
  await house.jobs.send(tx, job, {
    id: row.id,
    round,
    by: me.id,
    ...(requestId && { requestId }),
    ...(address && { address }),
  })
  return readImport(tx, row.id)
}
