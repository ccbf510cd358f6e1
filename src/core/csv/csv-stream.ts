import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { type SQL, sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import type { Me } from '#domains/access/server/current-user.ts'
import { type Actor, record } from '../audit/write-audit.ts'
import type { Db, Tx } from '../db/db.ts'
import { conflict } from '../http/errors.ts'
import type { Log } from '../log/log.ts'
import { byteOrderMark, type Cell, csvLines } from './csv.ts'

/** A file of an export: its name, what it is of, its columns, and the query of its rows. */
export type CsvFile<Row> = {
  name: string
  of: string
  rows: SQL
  columns: readonly { title: string; cell: (row: Row) => Cell }[]
  /** Adds to some rows at a time what their query cannot tell. */
  complete?: (tx: Tx, rows: Row[]) => Promise<Row[]>
}
type By = { db: Db; me: Me; actor: Actor; reply: FastifyReply; house: { log: Log } }

/**
 * Streams the file through a cursor: a few rows at a time, no faster than they are read, one export a person at a time. One that
 * nobody reads any more ends; one that was read to its end is in the trail.
 */
export async function sendCsv<Row extends Record<string, unknown>>(
  { db, me, actor, reply, house }: By,
  file: CsvFile<Row>,
) {
  const csv = new PassThrough()
  csv.on('error', (error) => house.log.warn({ err: error }, 'an export broke off')) // its reader sees that too
  const begun = Promise.withResolvers<void>()
  const written = db.transaction(async (tx) => {
    await oneAtATime(tx, me.id)
    await tx.execute(sql`declare exported no scroll cursor for ${file.rows}`)
    begun.resolve()
    const rows = await write(tx, file, csv)
    await record(tx, actor, { kind: 'export', rowId: me.id, before: null, after: { of: file.of, rows } })
  })
  written.then(
    () => csv.end(),
    (error) => {
      begun.reject(error) // answered, if nothing was sent yet
      csv.destroy(error)
    },
  )
  await begun.promise
  reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${file.name}"`,
    })
    .send(csv)
}

/** Held until the export's transaction ends, however it ends. */
async function oneAtATime(tx: Tx, userId: number) {
  const { rows } = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(7318202, ${userId}) as free`,
  )
  if (!rows[0]?.free) throw conflict('An export of yours is still running')
}

const mostRows = 1000
/** What is fetched together, in letters: rows may be long. */
const enough = 50_000

async function write<Row extends Record<string, unknown>>(tx: Tx, file: CsvFile<Row>, csv: PassThrough) {
  const { columns, complete } = file
  csv.write(byteOrderMark + csvLines([columns.map((column) => column.title)]))
  let atOnce = 50
  for (let count = 0; ; ) {
    const { rows } = await tx.execute<Row>(sql`fetch ${sql.raw(String(atOnce))} from exported`)
    if (rows.length === 0) return count
    count += rows.length
    const found = rows as Row[] // the query of a file selects what its columns read
    const whole = complete ? await complete(tx, found) : found
    const lines = csvLines(whole.map((row) => columns.map((column) => column.cell(row))))
    await push(csv, lines)
    atOnce = Math.min(mostRows, Math.max(1, Math.floor((enough * rows.length) / lines.length)))
  }
}

async function push(csv: PassThrough, text: string) {
  if (csv.destroyed) throw new Error('The export was cancelled')
  if (csv.write(text)) return
  const over = new AbortController()
  const { signal } = over
  try {
    await Promise.race([once(csv, 'drain', { signal }), once(csv, 'close', { signal })])
  } finally {
    over.abort() // a long file waits often: what waited in vain must not stay
  }
}
