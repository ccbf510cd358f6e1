import { sql } from 'drizzle-orm'
import { type CsvFile, sendCsv } from '#core/csv/csv-stream.ts'
import type { Tx } from '#core/db/db.ts'
import { type Call, implement } from '#core/http/handle.ts'
import type { Lead, LeadField } from '#domains/leads/contract.ts'
import { orderOf } from '#domains/leads/list/server/queries.ts'
import { matching } from '#domains/leads/model/filter.ts'
import { changersOf, leadFields, leadsWithCampaign } from '#domains/leads/model/serializer.ts'
import { type ExportColumn, exportColumns } from '../columns.ts'
import { leadExport, maxExportRows } from '../contract.ts'

export const leadExportCalls = implement(leadExport, {
  csv: async (call) => {
    await sendCsv<Lead>(call, { name: leadExport.csv.file, of: 'leads', ...askedFor(call) })
    return undefined
  },
})

type Asked = Pick<CsvFile<Lead>, 'rows' | 'complete'> & { columns: ExportColumn[] }

/** Refuses what this person may not filter or sort by. */
function askedFor({ me, body, house }: Call<typeof leadExport.csv>): Asked {
  const zone = house.settings.AGENCY_TIMEZONE
  const columns = exportColumns(me, body.columns)
  const fields = new Set<LeadField>(['id', ...columns.flatMap((column) => column.fields)])
  const { where } = matching(me, body, { archived: false, zone })
  const rows = sql`
    select ${leadFields({ me, zone }, fields)} from ${leadsWithCampaign} where ${where}
    order by ${orderOf(body)} limit ${maxExportRows}`
  return fields.has('changers') ? { columns, rows, complete: withChangers } : { columns, rows }
}

async function withChangers(tx: Tx, rows: Lead[]): Promise<Lead[]> {
  const ids = rows.map(({ id }) => id)
  const found = await tx.execute<Pick<Lead, 'id' | 'changers'>>(changersOf(sql`${sql.param(ids)}::int[]`))
  const changers = new Map(found.rows.map((lead) => [lead.id, lead.changers]))
  return rows.map((lead) => ({ ...lead, changers: changers.get(lead.id) }))
}
