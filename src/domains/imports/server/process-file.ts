import { and, between, eq, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { record } from '#core/audit/write-audit.ts'
import { type Db, type Tx, transaction } from '#core/db/db.ts'
import { importFiles, importProblems, importRows, imports } from '../schema.ts'
import { chunksOf, keptFile } from './import-file.ts'
import { importables } from './import-kinds.ts'
import { begin, halt, holdTask, type ImportRow, type Task, timeIsUp } from './import-task.ts'
import type { By, Importable, Wrong } from './importable.ts'
import { type Judged, judge } from './validate-rows.ts'

/**
 * Goes through the file: looks at each line, and when the import runs writes the new ones. Each commit holds some lines and how far it has
 * come, so that whoever goes on after a crash, or at the same time, does nothing twice. Answers whether there is more to do.
 */
export async function goThrough(house: House, task: Task): Promise<'more' | 'over'> {
  const begun = await begin(house, task, ['checking', 'running'])
  if (!begun) return 'over'
  const { row, by } = begun
  const text = await keptFile(house, row.id)
  if (text === null) return halt(house.db, task, 'The file is not kept any more: please upload it again')
  const kind = importables[row.kind]
  const isOver = timeIsUp(house)
  let { reached } = row
  const file = { chunks: chunksOf(text), columns: () => row.columns, after: reached }
  for await (const lines of judge(house, kind, file)) {
    if (isOver()) return 'more'
    const last = lines.at(-1)!.line
    if (!(await transaction(house.db, (tx) => take(tx, task, { row, by, kind, lines, reached, last })))) return 'over'
    reached = last
  }
  await finish(house.db, task, by)
  return 'over'
}

type Step = {
  row: ImportRow
  by: By
  kind: Importable<unknown>
  lines: Judged<unknown>[]
  reached: number
  last: number
}

/** False where somebody else has taken these lines already, or the task is not wanted any more. */
async function take(tx: Tx, task: Task, { row, by, kind, lines, reached, last }: Step): Promise<boolean> {
  const now = await holdTask(tx, task)
  if (now?.state !== row.state || now.reached !== reached) return false
  const outcome = row.state === 'running' ? await writeFresh(tx, by, kind, lines) : lookedAt(lines)
  if (row.state === 'running') await forgetProblems(tx, row.id, lines[0]!.line, last)
  const titled = titlesOf(row, kind)
  const problems = outcome.refused.flatMap(({ line, wrong }) =>
    wrong.map(({ field, says }) => ({
      import_id: row.id,
      kind: 'refused' as const,
      line,
      column: titled(field),
      says: says.slice(0, 500),
    })),
  )
  if (problems.length > 0) await tx.insert(importProblems).values(problems)
  const made = outcome.made.map(({ line, id }) => ({ import_id: row.id, line, row_id: id }))
  if (made.length > 0) await tx.insert(importRows).values(made)
  await tx
    .update(imports)
    .set({
      reached: last,
      fresh: sql`${imports.fresh} + ${outcome.fresh}`,
      known: sql`${imports.known} + ${outcome.known}`,
      refused: sql`${imports.refused} + ${outcome.refused.length}`,
      made: sql`${imports.made} + ${made.length}`,
      updated_at: sql`now()`,
    })
    .where(eq(imports.id, row.id))
  return true
}

type Refused = { line: number; wrong: Wrong[] }
type Outcome = { fresh: number; known: number; refused: Refused[]; made: { line: number; id: number }[] }

function lookedAt(lines: Judged<unknown>[]): Outcome {
  return {
    fresh: lines.filter(({ is }) => is === 'fresh').length,
    known: lines.filter(({ is }) => is === 'known').length,
    refused: lines.flatMap((one) => (one.is === 'refused' ? [{ line: one.line, wrong: one.wrong }] : [])),
    made: [],
  }
}

/** What was new may be there meanwhile, or be refused: that is counted as it went. */
async function writeFresh(tx: Tx, by: By, kind: Importable<unknown>, lines: Judged<unknown>[]): Promise<Outcome> {
  const fresh = lines.flatMap((one) => (one.is === 'fresh' ? [one] : []))
  const rows = fresh.map(({ row }) => row)
  const fates = rows.length > 0 ? await kind.write(tx, by, rows) : []
  const outcome = lookedAt(lines)
  for (const [index, { line }] of fresh.entries()) {
    const fate = fates[index]!
    if (fate === 'known') outcome.known += 1
    else if ('id' in fate) outcome.made.push({ line, id: fate.id })
    else outcome.refused.push({ line, wrong: fate })
  }
  return { ...outcome, fresh: outcome.made.length }
}

const forgetProblems = (tx: Tx, id: number, first: number, last: number) =>
  tx.delete(importProblems).where(and(eq(importProblems.import_id, id), between(importProblems.line, first, last)))

/** What the file calls a field; a field that it does not have goes by our name. */
function titlesOf({ columns, titles }: ImportRow, kind: Importable<unknown>) {
  const labels = new Map(kind.fields.map(({ name, label }) => [name, label]))
  return (field: string | null) =>
    field === null ? null : titles[columns[field] ?? -1] || (labels.get(field) ?? field)
}

/** The file has done its work when the import is done. */
function finish(db: Db, task: Task, { actor }: By): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await holdTask(tx, task)
    if (row?.state === 'checking')
      await tx.update(imports).set({ state: 'checked', updated_at: sql`now()` }).where(eq(imports.id, row.id))
    if (row?.state !== 'running') return
    await tx
      .update(imports)
      .set({ state: 'done', done_at: sql`now()`, updated_at: sql`now()` })
      .where(eq(imports.id, row.id))
    await tx.delete(importFiles).where(eq(importFiles.import_id, row.id))
    const { kind, file_name, made, known, refused } = row
    await record(tx, actor, {
      kind: 'import',
      rowId: row.id,
      before: null,
      after: { kind, file_name, made, known, refused },
    })
  })
}
