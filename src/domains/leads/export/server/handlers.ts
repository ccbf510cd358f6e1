import { sql } from 'drizzle-orm'
import { type CsvFile, sendCsv } from '#core/csv/csv-stream.ts'
import type { Tx } from '#core/db/db.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import type { Lead, LeadField } from '#domains/leads/contract.ts'
import { leadOrderBy } from '#domains/leads/list/server/queries.ts'
import { buildLeadMatch } from '#domains/leads/model/filter.ts'
import { changersQuery, leadSelectFields, leadsWithCampaignJoin } from '#domains/leads/model/serializer.ts'
import { leadExportContract, maxExportRows } from '../contract.ts'
import { type ExportColumn, listExportColumns } from './csv-columns.ts'

export const leadExportHandlers = implementContract(leadExportContract, {
  csv: async (call) => {
    await sendCsv<Lead>(call, { name: leadExportContract.csv.file, of: 'leads', ...buildExportQuery(call) })
    return undefined
  },
})

type ExportQuery = Pick<CsvFile<Lead>, 'rows' | 'complete'> & { columns: ExportColumn[] }

/** Refuses what this person may not filter or sort by. */
function buildExportQuery({ me, body, context }: EndpointCall<typeof leadExportContract.csv>): ExportQuery {
  const zone = context.settings.AGENCY_TIMEZONE
  const columns = listExportColumns(me, body.columns)
  const fields = new Set<LeadField>(['id', ...columns.flatMap((column) => column.fields)])
  const { where } = buildLeadMatch(me, body, { archived: false, zone })
  const rows = sql`
    select ${leadSelectFields({ me, zone }, fields)} from ${leadsWithCampaignJoin} where ${where}
    order by ${leadOrderBy(body)} limit ${maxExportRows}`
  return fields.has('changers') ? { columns, rows, complete: addChangers } : { columns, rows }
}

async function addChangers(tx: Tx, rows: Lead[]): Promise<Lead[]> {
  const ids = rows.map(({ id }) => id)
  const found = await tx.execute<Pick<Lead, 'id' | 'changers'>>(changersQuery(sql`${sql.param(ids)}::int[]`))
  const changers = new Map(found.rows.map((lead) => [lead.id, lead.changers]))
  return rows.map((lead) => ({ ...lead, changers: changers.get(lead.id) }))
}
