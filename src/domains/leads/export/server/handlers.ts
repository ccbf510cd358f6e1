import { type SQL, sql } from 'drizzle-orm'
import { type FieldDefinition, getColumnTitle } from '#contract/field-definitions.ts'
import { sendCopiedCsv } from '#core/csv/copied-csv.ts'
import { csvPhoneSql, csvTextSql } from '#core/csv/csv-sql.ts'
import { validationError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { getReadableFields } from '#domains/leads/contract.ts'
import { type LeadColumn, leadColumns, leadFields } from '#domains/leads/fields.ts'
import { leadOrderBy } from '#domains/leads/list/server/queries.ts'
import { buildLeadMatch } from '#domains/leads/model/filter.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import {
  changersTextQuery,
  dayFormat,
  type LeadReader,
  leadFieldExpression,
  leadsWithCampaignJoin,
  localTimeExpression,
  timeFormat,
} from '#domains/leads/model/serializer.ts'
import { leadExportContract, maxExportRows } from '../contract.ts'

export const leadExportHandlers = implementContract(leadExportContract, {
  csv: async (call) => {
    const { me, query, body, context } = call
    const listQuery = { sort: 'lead_date', order: 'desc', ...pickGiven(query), ...pickGiven(body) } as const
    const zone = context.settings.AGENCY_TIMEZONE
    const columns = listExportColumns(me, body.columns)
    const { where } = buildLeadMatch(me, listQuery, { archived: false, zone }) // throws for filters and sorts they may not use
    return sendCopiedCsv(call, {
      name: leadExportContract.csv.file,
      of: 'leads',
      columns,
      rows: sql`
        select ${leadsTable.id} from ${leadsWithCampaignJoin} where ${where}
        order by ${leadOrderBy(listQuery)} limit ${maxExportRows}`,
      lines: (ids) => exportLinesQuery(columns, { me, zone }, ids),
    })
  },
})

const pickGiven = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined> // the filter's
  }

/** Columns that only hold buttons are not written. */
type WrittenColumn = Exclude<LeadColumn, 'related' | 'action'>
const writtenColumns = leadColumns.filter((name): name is WrittenColumn => name !== 'related' && name !== 'action')

type ExportColumn = { name: WrittenColumn; title: string }

/** Returns the columns of this person's file, in the table's order: the requested ones that they may read. Throws 422 if there is none. */
function listExportColumns(me: LeadReader['me'], requested: readonly LeadColumn[] | undefined): ExportColumn[] {
  const readable = getReadableFields(me)
  const names = writtenColumns.filter(
    (name) => (requested === undefined || requested.includes(name)) && readable.has(name),
  )
  if (names.length === 0) throw validationError({ columns: ['Show a column with data: the file has the visible ones'] })
  return names.map((name) => ({ name, title: getColumnTitle(leadFields[name]) }))
}

/** Returns the query for the lines of these leads, in this order. `changers` is joined to the found leads, as in every list. */
function exportLinesQuery(columns: readonly ExportColumn[], reader: LeadReader, ids: SQL): SQL {
  const isChanged = columns.some(({ name }) => name === 'changers')
  const cells = columns.map(({ name }) => cellExpression(name, reader))
  return sql`
    ${isChanged ? sql`with changer as materialized (${changersTextQuery(ids)})` : sql``}
    select ${sql.join(cells, sql`, `)}
    from unnest(${ids}) with ordinality place (id, nth)
      join ${leadsTable} on ${leadsTable.id} = place.id
      left join ${campaignsTable} on ${campaignsTable.id} = ${leadsTable.campaign_id}
      ${isChanged ? sql`left join changer on changer.id = ${leadsTable.id}` : sql``}
    order by place.nth`
}

function cellExpression(name: WrittenColumn, reader: LeadReader): SQL {
  switch (name) {
    case 'lead_date':
      return localTimeExpression(reader, `${dayFormat} ${timeFormat}`)
    case 'message':
      return sql`coalesce(${csvTextSql(leadFieldExpression('message', reader))}, case when ${leadsTable.message} is null then ${leadFieldExpression('duration_formatted', reader)} end)`
    case 'tags':
      return sql`nullif(array_to_string(${leadsTable.tags}, ', '), '')`
    case 'changers':
      return csvTextSql(sql`changer.changers`)
    case 'rating':
      return leadFieldExpression(name, reader)
    default:
      return formatCell(leadFields[name], leadFieldExpression(name, reader))
  }
}

/** Formats like `formatCell` of field-csv.ts. */
function formatCell({ kind, choices = {} }: FieldDefinition, value: SQL): SQL {
  if (kind === 'text' || kind === 'longText') return csvTextSql(value)
  if (kind === 'phone') return csvPhoneSql(value)
  if (kind === 'flag') return sql`case ${value} when 1 then 'Yes' else 'No' end`
  const labels = Object.entries(choices).filter(([choice, label]) => choice !== label)
  return labels.length === 0
    ? value
    : sql`case ${value}::text ${sql.join(
        labels.map(([choice, label]) => sql`when ${choice} then ${label}`),
        sql` `,
      )} else ${value}::text end`
}
