import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { type AuditActor, writeAudit } from '../audit/write-audit.ts'
import type { Db, Tx } from '../db/db.ts'
import { conflictError } from '../http/errors.ts'
import type { AppLogger } from '../log/log.ts'
import { byteOrderMark, type CsvCell, formatCsvLines } from './csv.ts'

/** An export: the file name, what it contains (for the audit log), its columns, and the query of its rows. */
type CsvFile<Row, Found = Row> = {
  name: string
  of: string
  rows: SQL
  /** Days are those of the agency's zone. */
  columns: readonly { title: string; cell: (row: Row, zone: string) => CsvCell }[]
  /** Completes a batch of rows with data that their query cannot select; one row may become several. */
  complete?: (tx: Tx, rows: Found[]) => Promise<Row[]>
}
export type CsvRequest = {
  db: Db
  me: { id: number }
  actor: AuditActor
  reply: FastifyReply
  context: { log: AppLogger; settings: { AGENCY_TIMEZONE: string } }
  keepsRights: () => Promise<boolean>
}

/** Sends the file through a cursor, a few rows at a time. */
export const sendCsv = <Row extends Record<string, unknown>, Found extends Record<string, unknown> = Row>(
  request: CsvRequest,
  file: CsvFile<Row, Found>,
) => {
  const zone = request.context.settings.AGENCY_TIMEZONE
  return streamCsv(request, { ...file, lines: (tx, exported) => formatRows(tx, file, { exported, zone }) })
}

type StreamedFile = {
  name: string
  of: string
  columns: readonly { title: string }[]
  /** The query of the cursor `exported`. */
  rows: SQL
  /** Fetches from the cursor, yields lines, and counts the rows in `exported`. */
  lines: (tx: Tx, exported: { rows: number }) => AsyncIterable<string | Buffer>
}

/** Bytes or characters between two questions whether the reader still has their rights: a few hundred rows. */
const checkedLength = 100_000

/**
 * Streams the lines of one snapshot, no faster than the client reads them, one export per user at a time. The export ends when the
 * client disconnects, and breaks off when they lose a right; a complete one is in the audit log, one that broke off with its reason.
 */
export async function streamCsv(
  { db, me, actor, reply, context, keepsRights }: CsvRequest,
  file: StreamedFile,
): Promise<undefined> {
  const csv = new PassThrough()
  csv.on('error', (error) => context.log.warn({ err: error }, 'an export was aborted')) // the client sees that too
  const begun = Promise.withResolvers<void>()
  let isBegun = false
  const written = db.transaction(
    async (tx) => {
      await lockExport(tx, me.id)
      await tx.execute(sql`declare exported no scroll cursor for ${file.rows}`)
      isBegun = true
      begun.resolve()
      csv.write(byteOrderMark + formatCsvLines([file.columns.map((column) => column.title)]))
      const exported = { of: file.of, rows: 0 }
      await pipeline(whilePermitted(file.lines(tx, exported), keepsRights), csv, { end: false })
      await writeAudit(tx, actor, { kind: 'export', rowId: me.id, before: null, after: exported })
    },
    { isolationLevel: 'repeatable read' },
  )
  written
    .then(
      () => csv.end(),
      async (error) => {
        if (isBegun) csv.destroy(error)
        else begun.reject(error) // nothing was sent yet, so the error becomes the response
        if (error instanceof LostRightsError) await noteBrokenExport(db, { me, actor }, file.of)
      },
    )
    .catch((error) => context.log.error({ err: error }, 'an export that broke off is not in the audit log'))
  await begun.promise
  reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${file.name}"`,
    })
    .send(csv)
  return undefined // the reply is the response
}

const noteBrokenExport = (db: Db, { me, actor }: Pick<CsvRequest, 'me' | 'actor'>, of: string) =>
  db.transaction((tx) =>
    writeAudit(tx, actor, {
      kind: 'export',
      rowId: me.id,
      before: null,
      after: { of, broken_off: 'Rights were taken away' },
    }),
  )

/** Yields lines for as long as the reader keeps their rights; then throws. */
async function* whilePermitted(lines: AsyncIterable<string | Buffer>, keepsRights: () => Promise<boolean>) {
  let unchecked = 0
  for await (const chunk of lines) {
    unchecked += chunk.length
    if (unchecked >= checkedLength) {
      if (!(await keepsRights())) throw new LostRightsError()
      unchecked = 0
    }
    yield chunk
  }
}

/** The connection breaks off, so that no one takes a part for the whole file. */
class LostRightsError extends Error {
  override message = 'its reader lost a right'
}

/** Allows one export per user; the lock is held until the transaction ends. */
async function lockExport(tx: Tx, userId: number) {
  const { rows } = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(7318202, ${userId}) as free`,
  )
  if (!rows[0]?.free) throw conflictError('An export of yours is still running')
}

const maxFetchRows = 1000
/** Characters per fetch: rows may be long. */
const targetFetchLength = 50_000

/** Fetches rows from the cursor, yields them as lines, and counts them in `exported`. */
async function* formatRows<Row extends Record<string, unknown>, Found extends Record<string, unknown>>(
  tx: Tx,
  { columns, complete }: CsvFile<Row, Found>,
  { exported, zone }: { exported: { rows: number }; zone: string },
) {
  let fetchRows = complete ? 1 : 50 // one may become many thousands
  for (;;) {
    const rows = await fetchExported(tx, fetchRows)
    if (rows.length === 0) return
    // The query selects what the columns read, or what `complete` turns into it.
    const whole = complete ? await complete(tx, rows as Found[]) : (rows as Row[])
    exported.rows += whole.length
    const lines = formatCsvLines(whole.map((row) => columns.map((column) => column.cell(row, zone))))
    yield lines
    fetchRows = Math.min(maxFetchRows, Math.max(1, Math.floor((targetFetchLength * rows.length) / lines.length)))
  }
}

/** Returns the next rows of the cursor of `streamCsv`. */
export const fetchExported = async (tx: Tx, count: number): Promise<Record<string, unknown>[]> =>
  (await tx.execute(sql`fetch ${sql.raw(String(count))} from exported`)).rows
