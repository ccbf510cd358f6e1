import { type SQL, sql } from 'drizzle-orm'
import { sendCsv } from '#server/csv-stream.ts'
import { type Call, implement } from '#server/implement.ts'
import type { Lead } from '../contract.ts'
import { orderOf } from '../list.ts'
import { matching } from '../matching.ts'
import { leadFields, leadsWithCampaign } from '../serializer.ts'
import { type ExportColumn, exportColumns } from './columns.ts'
import { leadExport, maxExportRows } from './contract.ts'

export const leadExportCalls = implement(leadExport, {
  csv: async (call) => {
    await sendCsv<Lead>(call, { name: leadExport.csv.file, of: 'leads', ...askedFor(call) })
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
