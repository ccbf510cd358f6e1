import { buildCsvColumns } from '#core/csv/field-csv.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { getReadableFields, type Lead, type LeadField } from '#domains/leads/contract.ts'
import { type LeadColumn, leadFields } from '#domains/leads/fields.ts'

/** The columns that only hold buttons have nothing to write. */
const { related: _related, action: _action, ...writtenFields } = leadFields

const csvColumns = buildCsvColumns<typeof writtenFields, Lead>(writtenFields, {
  lead_date: (lead) => `${lead.lead_date} ${lead.lead_time}`,
  message: (lead) => lead.message ?? lead.duration_formatted,
  tags: (lead) => lead.tags?.map((tag) => tag.name).join(', '),
  changers: (lead) => lead.changers?.map((changer) => changer.username).join(', '),
})
/** What else those cells read; everyone reads these. */
const alsoRead: Partial<Record<string, LeadField>> = { lead_date: 'lead_time', message: 'duration_formatted' }

export type ExportColumn = Pick<(typeof csvColumns)[number], 'title' | 'cell'> & { fields: LeadField[] }

/** Returns the columns of this person's file, in the table's order: those asked for, as far as they may be read. */
export function listExportColumns(me: CurrentUser, asked: readonly LeadColumn[] | undefined): ExportColumn[] {
  const readable: ReadonlySet<string> = getReadableFields(me)
  const isAsked = (name: string) => asked === undefined || asked.some((column) => column === name)
  return csvColumns
    .filter(({ name }) => isAsked(name) && readable.has(name))
    .map(({ name, title, cell }) => {
      const other = alsoRead[name]
      return { title, cell, fields: [name as LeadField, ...(other ? [other] : [])] } // these columns are fields
    })
}
