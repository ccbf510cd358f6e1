import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { type SQL, sql } from 'drizzle-orm'
import { record } from '#server/audit.ts'
import { byteOrderMark, csvLines } from '#server/csv.ts'
import type { Tx } from '#server/db.ts'
import { conflict } from '#server/errors.ts'
import { type Call, implement } from '#server/implement.ts'
import type { Lead } from '../contract.ts'
import { orderOf } from '../list.ts'
import { matching } from '../matching.ts'
import { leadFields, leadsWithCampaign } from '../serializer.ts'
import { type ExportColumn, exportColumns } from './columns.ts'
import { leadExport, maxExportRows } from './contract.ts'

export const leadExportCalls = implement(leadExport, {
  csv: async (call) => {
    const asked = askedFor(call)
    const csv = new PassThrough()
    csv.on('error', (error) => call.house.log.warn({ err: error }, 'an export broke off')) // its reader sees that too
    const begun = Promise.withResolvers<void>()
    const written = call.db.transaction(async (tx) => {
      await oneAtATime(tx, call.me.id)
      await open(tx, asked)
      begun.resolve()
      const rows = await write(tx, asked.columns, csv)
      await record(tx, call.actor, { kind: 'export', rowId: call.me.id, before: null, after: { of: 'leads', rows } })
    })
    written.then(
      () => csv.end(),
      (error) => {
        begun.reject(error) // answered, if nothing was sent yet
        csv.destroy(error)
      },
    )
    await begun.promise
    call.reply
      .headers({ 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="leads.csv"' })
      .send(csv)
    return undefined
  },
})

type Asked = { columns: ExportColumn[]; rows: SQL }

/** Refuses what this person may not filter or sort by. */
function askedFor({ me, body, house }: Call<typeof leadExport.csv>): Asked {
  const zone = house.settings.AGENCY_TIMEZONE
  const columns = exportColumns(me, body.columns)
  const fields = new Set(columns.flatMap((column) => column.fields))
  const { where } = matching(me, body, { archived: false, zone })
  const rows = sql`
    select ${leadFields({ me, zone }, fields)} from ${leadsWithCampaign} where ${where}
    order by ${orderOf(body)} limit ${maxExportRows}`
  return { columns, rows }
}

/** Held until the export's transaction ends, however it ends. */
async function oneAtATime(tx: Tx, userId: number) {
  const { rows } = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(7318202, ${userId}) as free`,
  )
  if (!rows[0]?.free) throw conflict('An export of yours is still running')
}

const atOnce = 1000

const open = (tx: Tx, { rows }: Asked) => tx.execute(sql`declare exported no scroll cursor for ${rows}`)

/** Writes the file a thousand rows at a time, no faster than it is read; stops when nobody reads any more. */
async function write(tx: Tx, columns: ExportColumn[], csv: PassThrough): Promise<number> {
  csv.write(byteOrderMark + csvLines([columns.map((column) => column.title)]))
  for (let count = 0; ; ) {
    const { rows } = await tx.execute<Lead>(sql`fetch ${sql.raw(String(atOnce))} from exported`)
    if (rows.length === 0) return count
    count += rows.length
    await push(csv, lines(rows, columns))
  }
}

const lines = (rows: Lead[], columns: ExportColumn[]) =>
  csvLines(rows.map((lead) => columns.map((column) => column.cell(lead))))

async function push(csv: PassThrough, text: string) {
  if (csv.destroyed) throw new Error('The export was cancelled')
  if (!csv.write(text)) await Promise.race([once(csv, 'drain'), once(csv, 'close')])
}
