import { z } from 'zod'
import { dateField, moneyField, textField } from '#contract/fields.ts'
import {
  blankToNull,
  type ImportField,
  type LineCells,
  type LineProblem,
  normalizeUsDate,
  parsePlainNumber,
  parseYesNo,
  splitValues,
  toCellProblems,
  yesNoHint,
} from '#domains/imports/public.ts'
import { leadColumnTitles } from '#domains/leads/fields.ts'
import { leadTags, progressLabels } from '#domains/leads/labels.ts'

/** The cells of a line that may name a lead. Empty ones are null; words are taken where people write them. */

const optionalCell = <T extends z.ZodType>(schema: T) => z.preprocess(blankToNull, schema.nullable())
const textCell = (max = 255) => optionalCell(textField(max))
const flagCell = (otherwise: boolean) =>
  z.preprocess((value) => (blankToNull(value) === null ? otherwise : parseYesNo(value)), z.boolean('Must be 1 or 0'))
const amountCell = optionalCell(z.preprocess(parsePlainNumber, moneyField))
const progressByLabel = Object.fromEntries(
  Object.entries(progressLabels).map(([value, word]) => [word.toLowerCase(), Number(value)]),
)
const capitalizeWord = (value: unknown) =>
  typeof value === 'string' ? value.charAt(0).toUpperCase() + value.slice(1).toLowerCase() : value

const leadCellsSchema = z.object({
  lead_id: z.string('Please insert lead id').trim().min(1, 'Please insert lead id').max(200, 'At most 200 characters'),
  lead_type: z.preprocess(capitalizeWord, z.enum(['Form', 'Call'], 'Must be Form or Call')),
  lead_s: optionalCell(
    z.preprocess(capitalizeWord, z.enum(['Callrail', 'Formidable'], 'Must be Callrail or Formidable')),
  ),
  lead_date: z.preprocess(normalizeUsDate, dateField()),
  lead_time: z.preprocess(
    (value) => blankToNull(value) ?? '00:00',
    z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'Not a time (HH:mm)'),
  ),
  lead_name: textCell(),
  lead_location: textCell(),
  lead_email: textCell(254),
  lead_phone: textCell(50),
  message: textCell(20_000),
  notes: textCell(10_000),
  duration: optionalCell(
    z.coerce
      .number('Must be seconds')
      .int('Must be seconds')
      .min(0, 'Must be seconds')
      .max(2_147_483_647, 'Must be seconds'),
  ),
  answered: z.preprocess(
    (value) => (blankToNull(value) === null ? null : parseYesNo(value)),
    z.boolean('Must be 1 or 0').nullable(),
  ),
  voicemail: flagCell(false),
  call_type: textCell(50),
  recording: optionalCell(z.httpUrl('Not a web address')),
  tags: z.preprocess(
    (value) => (typeof value === 'string' ? splitValues(value, /[,;|]/) : value),
    z.array(z.enum(leadTags, 'Not a tag')).optional(),
  ),
  confirmed: flagCell(false),
  hide: flagCell(false),
  archived: flagCell(false),
  client_progress: optionalCell(
    z.preprocess(
      (value) => progressByLabel[String(value).toLowerCase()] ?? Number(value),
      z.int('Must be 1 to 5').min(1, 'Must be 1 to 5').max(5, 'Must be 1 to 5'),
    ),
  ),
  company_name: textCell(),
  client_notes: textCell(10_000),
  client_value: amountCell,
  client_profit: amountCell,
  rating: optionalCell(z.preprocess(Number, z.int('Must be 1 to 5').min(1, 'Must be 1 to 5').max(5, 'Must be 1 to 5'))),
  last_url: textCell(2048),
  referrer: textCell(2048),
  source: textCell(),
  keywords: textCell(500),
  gclid: textCell(),
  tracking_phone_number: textCell(50),
  tracking_source: textCell(),
})

/** A line as far as it can be understood by itself. */
export type LeadCells = z.output<typeof leadCellsSchema>

const { campaign_name: _, related: __, changers: ___, action: ____, ...leadCellTitles } = leadColumnTitles
const cellLabels: Record<keyof LeadCells, string> = {
  ...leadCellTitles,
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
const cellHints: Partial<Record<keyof LeadCells, string>> = {
  lead_id: 'The number that CallRail or the form gave it',
  lead_type: 'Form or Call',
  lead_s: 'Callrail or Formidable; otherwise the type says',
  lead_date: '2026-03-16 or 03/16/2026, with or without a time, in the agency’s time zone',
  lead_time: '14:30 or 14:30:00',
  duration: 'Seconds',
  answered: yesNoHint,
  voicemail: yesNoHint,
  tags: 'With commas between; a file without tags leaves them to the rules for what comes in',
  confirmed: yesNoHint,
  hide: yesNoHint,
  archived: yesNoHint,
  client_progress: `${Object.values(progressLabels).join(', ')}, or 1 to 5`,
  client_value: '1200.50 or $1,200.50',
  client_profit: '1200.50 or $1,200.50',
  rating: '1 to 5',
  recording: 'A web address',
}
const requiredCells: readonly string[] = ['lead_id', 'lead_type', 'lead_date']

const cellNames = Object.keys(leadCellsSchema.shape) as (keyof LeadCells)[]
export const leadImportFields = cellNames.map((name): ImportField => {
  const about = cellHints[name]
  return { name, label: cellLabels[name], required: requiredCells.includes(name), ...(about && { about }) }
})

export function parseLeadCells(cells: LineCells): { cells: LeadCells } | { wrong: LineProblem[] } {
  const parsed = leadCellsSchema.safeParse(splitDateTime(cells))
  return parsed.success ? { cells: parsed.data } : { wrong: toCellProblems(parsed.error) }
}

/** `2026-03-16 14:30` in the cell of the date says the time as well, where no other cell does. */
function splitDateTime(cells: LineCells): LineCells {
  const [, lead_date, lead_time] = cells.lead_date?.match(/^(\S+)[ T](\d\d:\d\d(?::\d\d)?)$/) ?? []
  return lead_date && lead_time && !cells.lead_time ? { ...cells, lead_date, lead_time } : cells
}
