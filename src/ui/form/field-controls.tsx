import {
  type CustomField,
  type FieldDefinition,
  type FieldDefinitions,
  type FieldValue,
  type FormField,
  getFormFields,
} from '#contract/field-definitions.ts'
import { formatMoney } from '../cells/cells.tsx'
import { formatDay } from '../cells/days.ts'
import { dateControl } from './DateField.tsx'
import {
  type FieldControl,
  moneyControl,
  selectControl,
  textareaControl,
  textControl,
  toggleControl,
  wholeNumberControl,
} from './fields.tsx'

type FieldControls<F> = { [Name in FormField<F>]: FieldControl<FieldValue<F, Name>> }
type CustomControls<F> = Pick<FieldControls<F>, FormField<F> & CustomField<F>> & Partial<FieldControls<F>>

/** Builds the controls of a form from its field definitions. Custom fields need a control in `custom`; other fields may have one. */
export function buildFieldControls<F extends FieldDefinitions>(fields: F, custom: CustomControls<F>): FieldControls<F> {
  const given: Record<string, unknown> = custom
  const controls = getFormFields(fields).map((name) => [name, given[name] ?? createControl(fields[name]!)])
  return Object.fromEntries(controls) as FieldControls<F> // a field's kind says what its control holds
}

function createControl({ kind, label, choices = {} }: FieldDefinition) {
  switch (kind) {
    case 'text':
    case 'link':
    case 'phone':
      return textControl(label)
    case 'longText':
      return textareaControl(label)
    case 'count':
      return wholeNumberControl(label)
    case 'money':
      return moneyControl(label, { min: 0 })
    case 'date':
      return dateControl(label)
    case 'flag':
      return toggleControl(label)
    case 'choice':
      return selectControl(
        label,
        Object.entries(choices).map(([value, title]) => ({ value, label: title })),
      )
    case 'instant':
    case 'custom':
      throw new Error(`${label} needs a control of its own`)
  }
}

/** Formats a field's value as text; null where it is empty. */
export function formatFieldValue({ kind, choices = {} }: FieldDefinition, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (kind === 'date') return formatDay(String(value))
  if (kind === 'money') return formatMoney(Number(value))
  if (kind === 'flag') return value ? 'On' : 'Off'
  if (kind === 'choice') return choices[String(value)] ?? String(value)
  return String(value)
}
