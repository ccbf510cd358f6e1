import { sql } from 'drizzle-orm'
import { sendCopiedCsv } from '#core/csv/copied-csv.ts'
import { implementContract } from '#domains/app-context.ts'
import { leadOrderBy } from '#domains/leads/list/server/queries.ts'
import { buildLeadMatch } from '#domains/leads/model/filter.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { leadsWithCampaignJoin } from '#domains/leads/model/serializer.ts'
import { leadExportContract, maxExportRows } from '../contract.ts'
import { exportLinesQuery, listExportColumns } from './csv-columns.ts'

export const leadExportHandlers = implementContract(leadExportContract, {
  csv: async (call) => {
    const { me, query, body, context } = call
    const asked = { sort: 'lead_date', order: 'desc', ...pickGiven(query), ...pickGiven(body) } as const
    const zone = context.settings.AGENCY_TIMEZONE
    const columns = listExportColumns(me, body.columns)
    const { where } = buildLeadMatch(me, asked, { archived: false, zone }) // throws for filters and sorts they may not use
    return sendCopiedCsv(call, {
      name: leadExportContract.csv.file,
      of: 'leads',
      columns,
      rows: sql`
        select ${leadsTable.id} from ${leadsWithCampaignJoin} where ${where}
        order by ${leadOrderBy(asked)} limit ${maxExportRows}`,
      lines: (ids) => exportLinesQuery(columns, { me, zone }, ids),
    })
  },
})

const pickGiven = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined> // the filter's
  }
