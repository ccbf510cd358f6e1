import { type FieldDefinition, getColumnTitle } from '#contract/field-definitions.ts'
import { formatMoney } from '#contract/money.ts'
import { leadFields } from '#domains/leads/fields.ts'
import { progressLabels } from '#domains/leads/labels.ts'
import { formatDay } from '#ui/cells/days.ts'

const fields: Partial<Record<string, FieldDefinition>> = leadFields
/** Returns a field's title in the table, or in the Edit Lead dialog if it has no column. */
export function getFieldTitle(name: string): string {
  const field = fields[name]
  return field ? getColumnTitle(field) : name
}

/** Names of campaigns and sites, of which a lead only has ids. */
export type ReferenceNames = { campaigns: ReadonlyMap<number, string>; sites: ReadonlyMap<number, string> }

/** Returns a field's value as text; null if it is empty. */
export function formatFieldValue(field: string, value: unknown, names: ReferenceNames): string | null {
  if (value === null || value === undefined || value === '') return null
  const inWords = valueFormatters[field]?.(value, names)
  if (inWords !== undefined) return inWords
  if (typeof value === 'boolean') return formatYesNo(value)
  if (Array.isArray(value)) return value.length > 0 ? value.map(formatTagName).join(', ') : null
  return String(value)
}

const formatYesNo = (value: unknown) => (value === 1 || value === true ? 'Yes' : 'No')
/** A tag is a name in the audit log, and an object with a name in a lead. */
const formatTagName = (one: unknown): string =>
  typeof one === 'object' && one !== null && 'name' in one ? String(one.name) : String(one)
const formatDollars = (value: unknown) => (typeof value === 'number' ? formatMoney(value) : undefined)
const formatMinutes = (value: unknown) =>
  typeof value === 'number' ? `${Math.floor(value / 60)}:${String(value % 60).padStart(2, '0')}` : undefined

const valueFormatters: Partial<Record<string, (value: unknown, names: ReferenceNames) => string | undefined>> = {
  campaign_id: (value, { campaigns }) => campaigns.get(Number(value)) ?? `No. ${value}`,
  clientsite_id: (value, { sites }) => sites.get(Number(value)) ?? `No. ${value}`,
  confirmed: formatYesNo,
  hide: formatYesNo,
  archived: formatYesNo,
  client_progress: (value) => Object.entries(progressLabels).find(([step]) => step === String(value))?.[1],
  client_value: formatDollars,
  client_profit: formatDollars,
  rating: (value) => (String(value) === '1' ? '1 star' : `${value} stars`),
  rating_unconfirmed: formatYesNo,
  rating_via: (value) =>
    ({ link: 'By a star in an email', page: 'On the rating page', staff: 'By a signed-in user' })[String(value)],
  lead_date: (value) => formatDay(String(value)) ?? undefined,
  duration: formatMinutes,
}
