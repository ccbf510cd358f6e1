import type { CsvCell } from '#core/csv/csv.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { getReadableFields, type Lead, type LeadField } from '#domains/leads/contract.ts'
import { type LeadColumn, leadColumnTitles, progressLabels } from '#domains/leads/labels.ts'

export type ExportColumn = { title: string; fields: LeadField[]; cell: (lead: Lead) => CsvCell }
type ExportCell = Omit<ExportColumn, 'title'>

const plainCell = (name: LeadField): ExportCell => ({ fields: [name], cell: (lead) => lead[name] as CsvCell }) // only plain fields are named below
const yesNoCell = (name: 'confirmed' | 'hide'): ExportCell => ({
  fields: [name],
  cell: (lead) => (lead[name] ? 'Yes' : 'No'),
})

/** How each column of the table reads in a file. Those that only hold buttons have nothing to write. */
const exportCells: Record<Exclude<LeadColumn, 'related' | 'action'>, ExportCell> = {
  campaign_name: plainCell('campaign_name'),
  lead_date: { fields: ['lead_date', 'lead_time'], cell: (lead) => `${lead.lead_date} ${lead.lead_time}` },
  lead_type: plainCell('lead_type'),
  tracking_phone_number: plainCell('tracking_phone_number'),
  tracking_source: plainCell('tracking_source'),
  lead_name: plainCell('lead_name'),
  lead_location: plainCell('lead_location'),
  lead_email: plainCell('lead_email'),
  lead_phone: plainCell('lead_phone'),
  message: { fields: ['message', 'duration_formatted'], cell: (lead) => lead.message ?? lead.duration_formatted },
  notes: plainCell('notes'),
  tags: { fields: ['tags'], cell: (lead) => lead.tags?.map((tag) => tag.name).join(', ') },
  confirmed: yesNoCell('confirmed'),
  changers: { fields: ['changers'], cell: (lead) => lead.changers?.map((changer) => changer.username).join(', ') },
  client_progress: {
    fields: ['client_progress'],
    cell: ({ client_progress }) => client_progress && progressLabels[client_progress as keyof typeof progressLabels],
  },
  company_name: plainCell('company_name'),
  client_notes: plainCell('client_notes'),
  client_value: plainCell('client_value'),
  client_profit: plainCell('client_profit'),
  rating: plainCell('rating'),
  last_url: plainCell('last_url'),
  referrer: plainCell('referrer'),
  source: plainCell('source'),
  keywords: plainCell('keywords'),
  gclid: plainCell('gclid'),
  hide: yesNoCell('hide'),
}

/** The columns of this person's file, in the table's order: those asked for, as far as they may be read. */
export function listExportColumns(me: CurrentUser, asked: readonly LeadColumn[] | undefined): ExportColumn[] {
  const readable = getReadableFields(me)
  const names = Object.keys(exportCells) as (keyof typeof exportCells)[]
  return names
    .filter(
      (name) =>
        (asked === undefined || asked.includes(name)) && exportCells[name].fields.every((one) => readable.has(one)),
    )
    .map((name) => ({ title: leadColumnTitles[name], ...exportCells[name] }))
}
