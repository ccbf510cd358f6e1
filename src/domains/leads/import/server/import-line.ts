import { z } from 'zod'
import { date, money, text } from '#contract/fields.ts'
import { blank, isoDate, plainNumber, several, wrongIn, yesAndNo, yesOrNo } from '#domains/imports/server/cells.ts'
import type { Cells, ImportField, Wrong } from '#domains/imports/server/importable.ts'
import { leadColumnTitles, progress, tags } from '#domains/leads/labels.ts'

/** The cells of a line that may name a lead. Empty ones are null; words are taken where people write them. */

const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blank, schema.nullable())
const words = (max = 255) => optional(text(max))
const flag = (otherwise: boolean) =>
  z.preprocess((value) => (blank(value) === null ? otherwise : yesOrNo(value)), z.boolean('Must be 1 or 0'))
const amount = optional(z.preprocess(plainNumber, money))
const progressByWord = Object.fromEntries(
  Object.entries(progress).map(([value, word]) => [word.toLowerCase(), Number(value)]),
)
const oneOf = (value: unknown) =>
  typeof value === 'string' ? value.charAt(0).toUpperCase() + value.slice(1).toLowerCase() : value

const schema = z.object({
  lead_id: z.string('Please insert lead id').trim().min(1, 'Please insert lead id').max(200, 'At most 200 characters'),
  lead_type: z.preprocess(oneOf, z.enum(['Form', 'Call'], 'Must be Form or Call')),
  lead_s: optional(z.preprocess(oneOf, z.enum(['Callrail', 'Formidable'], 'Must be Callrail or Formidable'))),
  lead_date: z.preprocess(isoDate, date()),
  lead_time: z.preprocess(
    (value) => blank(value) ?? '00:00',
    z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'Not a time (HH:mm)'),
  ),
  lead_name: words(),
  lead_location: words(),
  lead_email: words(254),
  lead_phone: words(50),
  message: words(20_000),
  notes: words(10_000),
  duration: optional(
    z.coerce
      .number('Must be seconds')
      .int('Must be seconds')
      .min(0, 'Must be seconds')
      .max(2_147_483_647, 'Must be seconds'),
  ),
  answered: z.preprocess(
    (value) => (blank(value) === null ? null : yesOrNo(value)),
    z.boolean('Must be 1 or 0').nullable(),
  ),
  voicemail: flag(false),
  call_type: words(50),
  recording: optional(z.httpUrl('Not a web address')),
  tags: z.preprocess(
    (value) => (typeof value === 'string' ? several(value, /[,;|]/) : value),
    z.array(z.enum(tags, 'Not a tag')).optional(),
  ),
  confirmed: flag(false),
  hide: flag(false),
  archived: flag(false),
  client_progress: optional(
    z.preprocess(
      (value) => progressByWord[String(value).toLowerCase()] ?? Number(value),
      z.int('Must be 1 to 5').min(1, 'Must be 1 to 5').max(5, 'Must be 1 to 5'),
    ),
  ),
  company_name: words(),
  client_notes: words(10_000),
  client_value: amount,
  client_profit: amount,
  rating: optional(z.preprocess(Number, z.int('Must be 1 to 5').min(1, 'Must be 1 to 5').max(5, 'Must be 1 to 5'))),
  last_url: words(2048),
  referrer: words(2048),
  source: words(),
  keywords: words(500),
  gclid: words(),
  tracking_phone_number: words(50),
  tracking_source: words(),
})

/** A line as far as it can be understood by itself. */
export type LeadCells = z.output<typeof schema>

const { campaign_name: _, related: __, changers: ___, action: ____, ...titles } = leadColumnTitles
const labels: Record<keyof LeadCells, string> = {
  ...titles,
  lead_id: 'Lead ID',
  lead_s: 'Lead Source',
  lead_time: 'Time',
  duration: 'Duration',
  answered: 'Answered',
  voicemail: 'Voicemail',
  call_type: 'Call Type',
  recording: 'Recording',
  archived: 'Archived',
}
const abouts: Partial<Record<keyof LeadCells, string>> = {
  lead_id: 'The number that CallRail or the form gave it',
  lead_type: 'Form or Call',
  lead_s: 'Callrail or Formidable; otherwise the type says',
  lead_date: '2026-03-16 or 03/16/2026, with or without a time, in the agency’s time zone',
  lead_time: '14:30 or 14:30:00',
  duration: 'Seconds',
  answered: yesAndNo,
  voicemail: yesAndNo,
  tags: 'With commas between; a file without tags leaves them to the rules for what comes in',
  confirmed: yesAndNo,
  hide: yesAndNo,
  archived: yesAndNo,
  client_progress: `${Object.values(progress).join(', ')}, or 1 to 5`,
  client_value: '1200.50 or $1,200.50',
  client_profit: '1200.50 or $1,200.50',
  rating: '1 to 5',
  recording: 'A web address',
}
const required: readonly string[] = ['lead_id', 'lead_type', 'lead_date']

const names = Object.keys(schema.shape) as (keyof LeadCells)[]
export const leadFields = names.map((name): ImportField => {
  const about = abouts[name]
  return { name, label: labels[name], required: required.includes(name), ...(about && { about }) }
})

export function readCells(cells: Cells): { cells: LeadCells } | { wrong: Wrong[] } {
  const parsed = schema.safeParse(withTime(cells))
  return parsed.success ? { cells: parsed.data } : { wrong: wrongIn(parsed.error) }
}

/** `2026-03-16 14:30` in the cell of the date says the time as well, where no other cell does. */
function withTime(cells: Cells): Cells {
  const [, lead_date, lead_time] = cells.lead_date?.match(/^(\S+)[ T](\d\d:\d\d(?::\d\d)?)$/) ?? []
  return lead_date && lead_time && !cells.lead_time ? { ...cells, lead_date, lead_time } : cells
}
