import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { type Import, importsContract } from '#domains/imports/contract.ts'
import { isImportBusy } from '#domains/imports/labels.ts'
import { importsTable } from '#domains/imports/schema.ts'
import type { App, Caller } from '#test/app.ts'
import { watchAudit } from '#test/audited-rows.ts'
import { until } from '#test/until.ts'

type Columns = Record<string, number>
type Words = Record<string, string>

/** What the caller does with imports. Without a worker only `upload` returns. */
export function importsBy(app: App, caller: Caller) {
  /** Sends a file; returns the answer and, unless the file is refused, its columns and those that are recognized. */
  async function upload(kind: string, content: string | Buffer, name = 'file.csv') {
    const form = new FormData()
    form.set('file', new Blob([content as BlobPart]), name)
    const answer = await caller.fetch(`/api/imports?kind=${kind}`, { method: 'POST', body: form })
    const body = await answer.json()
    const id: number = body.id
    const found = answer.ok ? (await caller.call(importsContract.columns, { params: { id } })).body : {}
    return { status: answer.status, body, id, columns: found.columns, chosen: found.chosen as Columns }
  }
  async function settle(id: number): Promise<Import> {
    // Cheaper than to ask the API each time.
    await until(async () => {
      const found = app.context.db.select({ state: importsTable.state }).from(importsTable)
      return !isImportBusy((await found.where(eq(importsTable.id, id)))[0]!.state)
    }, 50)
    return (await caller.call(importsContract.get, { params: { id } })).body
  }
  async function check(id: number, columns: Columns, values?: Record<string, Words>, readings?: Words) {
    const answer = await caller.call(importsContract.check, { params: { id }, body: { columns, values, readings } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return settle(id)
  }
  /** Uploads a file and checks it with the columns that are recognized. */
  async function checkFile(kind: string, content: string | Buffer, name?: string) {
    const { id, chosen } = await upload(kind, content, name)
    return check(id, chosen)
  }
  /** Each row that is made or removed has an entry of its own in the audit log. */
  async function audited(call: typeof importsContract.run | typeof importsContract.undo, id: number) {
    const readUnaudited = await watchAudit(app)
    expect((await caller.call(call, { params: { id } })).status).toBe(200)
    const after = await settle(id)
    expect(await readUnaudited()).toEqual([])
    return after
  }
  const run = (id: number) => audited(importsContract.run, id)
  const undo = (id: number) => audited(importsContract.undo, id)
  const importFile = async (...file: Parameters<typeof checkFile>) => run((await checkFile(...file)).id)
  const readProblems = async (id: number, query = {}) =>
    (await caller.call(importsContract.problems, { params: { id }, query })).body.data.map(
      ({ line, column, says }: { line: number; column: string | null; says: string }) => [line, column, says],
    )
  return { upload, settle, check, checkFile, run, undo, importFile, readProblems }
}
