import type { Cell } from '#core/csv/csv.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { type Lead, type LeadField, readableFields } from '../contract.ts'
import { type LeadColumn, leadColumnTitles, progress } from '../labels.ts'

export type ExportColumn = { title: string; fields: LeadField[]; cell: (lead: Lead) => Cell }
type Written = Omit<ExportColumn, 'title'>

const field = (name: LeadField): Written => ({ fields: [name], cell: (lead) => lead[name] as Cell }) // only plain fields are named below
const yesNo = (name: 'confirmed' | 'hide'): Written => ({ fields: [name], cell: (lead) => (lead[name] ? 'Yes' : 'No') })

/** How each column of the table reads in a file. Those that only hold buttons have nothing to write. */
const columns: Record<Exclude<LeadColumn, 'related' | 'action'>, Written> = {
  campaign_name: field('campaign_name'),
  lead_date: { fields: ['lead_date', 'lead_time'], cell: (lead) => `${lead.lead_date} ${lead.lead_time}` },
  lead_type: field('lead_type'),
  tracking_phone_number: field('tracking_phone_number'),
  tracking_source: field('tracking_source'),
  lead_name: field('lead_name'),
  lead_location: field('lead_location'),
  lead_email: field('lead_email'),
  lead_phone: field('lead_phone'),
  message: { fields: ['message', 'duration_formatted'], cell: (lead) => lead.message ?? lead.duration_formatted },
  notes: field('notes'),
  tags: { fields: ['tags'], cell: (lead) => lead.tags?.map((tag) => tag.name).join(', ') },
  confirmed: yesNo('confirmed'),
  changers: { fields: ['changers'], cell: (lead) => lead.changers?.map((changer) => changer.username).join(', ') },
  client_progress: {
    fields: ['client_progress'],
    cell: ({ client_progress }) => client_progress && progress[client_progress as keyof typeof progress],
  },
  company_name: field('company_name'),
  client_notes: field('client_notes'),
  client_value: field('client_value'),
  client_profit: field('client_profit'),
  rating: field('rating'),
  last_url: field('last_url'),
  referrer: field('referrer'),
  source: field('source'),
  keywords: field('keywords'),
  gclid: field('gclid'),
  hide: yesNo('hide'),
}

/** The columns of this person's file, in the table's order: those asked for, as far as they may be read. */
export function exportColumns(me: Me, asked: readonly LeadColumn[] | undefined): ExportColumn[] {
  const readable = readableFields(me)
  const names = Object.keys(columns) as (keyof typeof columns)[]
  return names
    .filter(
      (name) => (asked === undefined || asked.includes(name)) && columns[name].fields.every((one) => readable.has(one)),
    )
    .map((name) => ({ title: leadColumnTitles[name], ...columns[name] }))
}
