import { z } from 'zod'
import { date, money, text } from '#contract/fields.ts'
import { progress, tags } from '#domains/leads/words.ts'
import { fieldErrors } from '#server/errors.ts'

/** The cells of a line that may name a lead. Empty ones are null; words are taken where people write them. */

const blank = (value: unknown) => (value === undefined || value === '' ? null : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blank, schema.nullable())
const words = (max = 255) => optional(text(max))

const flags: Record<string, boolean> = {
  1: true,
  yes: true,
  true: true,
  y: true,
  0: false,
  no: false,
  false: false,
  n: false,
}
const flag = (otherwise: boolean) =>
  z.preprocess(
    (value) => (blank(value) === null ? otherwise : (flags[String(value).toLowerCase()] ?? value)),
    z.boolean('Must be 1 or 0'),
  )
const amount = optional(
  z.preprocess((value) => (typeof value === 'string' ? Number(value.replace(/^\$|,/g, '')) : value), money),
)
/** 03/16/2026, as American spreadsheets write it, is 2026-03-16. */
const isoDate = (value: unknown) =>
  typeof value === 'string'
    ? value.replace(
        /^(\d\d?)\/(\d\d?)\/(\d{4})$/,
        (_, month: string, day: string, year: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
      )
    : value
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
    (value) => (blank(value) === null ? null : (flags[String(value).toLowerCase()] ?? value)),
    z.boolean('Must be 1 or 0').nullable(),
  ),
  voicemail: flag(false),
  call_type: words(50),
  recording: optional(z.httpUrl('Not a web address')),
  tags: z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(/[,;|]/)
            .map((tag) => tag.trim())
            .filter(Boolean)
        : value,
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
export type Cells = z.output<typeof schema>

export const columns = Object.keys(schema.shape)
export const requiredColumns = ['lead_id', 'lead_type', 'lead_date'] as const

export function readCells(cells: Record<string, string>): { cells: Cells } | { wrong: string[] } {
  const parsed = schema.safeParse(cells)
  if (parsed.success) return { cells: parsed.data }
  return { wrong: Object.entries(fieldErrors(parsed.error)).map(([field, lines]) => `${field}: ${lines.join(', ')}`) }
}
