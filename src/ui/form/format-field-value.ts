import type { FieldDefinition } from '#contract/field-definitions.ts'
import { formatMoney } from '#contract/money.ts'
import { formatDay } from '../cells/days.ts'

/** Formats a field's value as text; null where it is empty. */
export function formatFieldValue({ kind, choices = {} }: FieldDefinition, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (kind === 'date') return formatDay(String(value))
  if (kind === 'money') return formatMoney(Number(value))
  if (kind === 'flag') return value ? 'On' : 'Off'
  if (kind === 'choice') return choices[String(value)] ?? String(value)
  return String(value)
}
