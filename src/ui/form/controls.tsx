import {
  MultiSelect,
  NumberInput,
  type OptionsFilter,
  PasswordInput,
  Select,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { type Choice, isFound } from '../filters/ChoiceFilter.tsx'
import { ChoiceLabel } from '../filters/ChoiceLabel.tsx'
import { ColourInput } from './ColorInput.tsx'
import type { FieldAt } from './fields.tsx'
import { WholeInput } from './IntegerInput.tsx'

/** What the fields of a form are drawn with. Heavy, and loaded with the dialog that draws them: see `fields.tsx`. */

type At<Value> = { label: string; at: FieldAt<Value> }
export type TextOptions = { placeholder?: string; hint?: string; autoComplete?: string }

export function Text({ label, at, hint, autoComplete = 'off', placeholder }: At<string> & TextOptions) {
  return (
    <TextInput
      {...common(label, at)}
      description={hint}
      placeholder={placeholder}
      autoComplete={autoComplete}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )
}

export function Password({ label, at, autoComplete }: At<string> & { autoComplete: string }) {
  return (
    <PasswordInput
      {...common(label, at)}
      // The library forgets to say it here.
      aria-invalid={at.error !== undefined || undefined}
      autoComplete={autoComplete}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )
}

export function LongText({ label, at, hint, placeholder, rows = 4 }: At<string> & TextOptions & { rows?: number }) {
  return (
    <Textarea
      {...common(label, at)}
      description={hint}
      placeholder={placeholder}
      rows={rows}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )
}

export type NumberOptions = { decimals?: number; prefix?: string; min?: number }

export function Numeric({ label, at, decimals = 0, prefix, min }: At<number> & NumberOptions) {
  return (
    <NumberInput
      {...common(label, at)}
      decimalScale={decimals}
      prefix={prefix}
      thousandSeparator={decimals > 0 ? ',' : undefined}
      min={min}
      hideControls
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      value={at.value ?? ''}
      onChange={(value) => at.set(typeof value === 'number' ? value : null)}
    />
  )
}

export function Whole({ label, at }: At<number>) {
  return <WholeInput {...common(label, at)} value={at.value} set={at.set} />
}

export function Colour({ label, at }: At<string>) {
  return <ColourInput {...common(label, at)} value={at.value ?? ''} set={at.set} />
}

type Known = string | number
export type SelectOptions = {
  clearable?: boolean
  placeholder?: string
  /** Found by typing however few there are; many always are. */
  searchable?: boolean
}

export function One<Value extends Known>(props: At<Value> & SelectOptions & { choices: readonly Choice<Value>[] }) {
  const { label, at, choices, clearable = false, placeholder, searchable = false } = props
  return (
    <Select
      {...common(label, at)}
      {...offered(choices)}
      searchable={searchable || choices.length > 8}
      openOnFocus={false}
      clearable={clearable}
      placeholder={placeholder}
      nothingFoundMessage="Nothing found"
      limit={mostShown}
      value={at.value === null || at.value === undefined ? null : String(at.value)}
      onChange={(picked) => at.set(choices.find((choice) => String(choice.value) === picked)?.value ?? null)}
    />
  )
}

export function Many<Value extends Known>({ label, at, choices }: At<Value[]> & { choices: readonly Choice<Value>[] }) {
  const pick = (picked: string[]) =>
    at.set(choices.filter((choice) => picked.includes(String(choice.value))).map((choice) => choice.value))
  return (
    <MultiSelect
      {...common(label, at)}
      {...offered(choices)}
      searchable
      openOnFocus={false}
      hidePickedOptions
      nothingFoundMessage="Nothing found"
      limit={mostShown}
      value={(at.value ?? []).map(String)}
      onChange={pick}
    />
  )
}

/** More than these are found by typing. */
const mostShown = 200

/** Choices as the library's lists take them. */
function offered<Value extends Known>(choices: readonly Choice<Value>[]) {
  const byText = new Map(choices.map((choice) => [String(choice.value), choice]))
  return {
    data: choices.map((choice) => ({ value: String(choice.value), label: choice.label })),
    renderOption: ({ option }: { option: { value: string } }) => {
      const choice = byText.get(option.value)
      return choice && <ChoiceLabel choice={choice} />
    },
    filter: ({ options, search, limit }: Parameters<OptionsFilter>[0]) =>
      options
        .filter((option) => {
          const choice = 'value' in option && byText.get(String(option.value))
          return choice && isFound(choice, search)
        })
        .slice(0, limit),
  }
}

export function Toggle({ label, at }: At<boolean | 0 | 1>) {
  return (
    <Switch
      label={label}
      name={at.name}
      error={at.error}
      checked={at.value === true || at.value === 1}
      onChange={(event) => at.set(event.currentTarget.checked)}
    />
  )
}

/** Shown, not sent: an email that cannot be changed here. */
export function ReadOnly({ label, value }: { label: string; value: string }) {
  return <TextInput label={label} value={value} readOnly variant="filled" />
}

/** What every control of ours has. */
export function common(label: string, at: Pick<FieldAt<unknown>, 'name' | 'error' | 'required'>) {
  return {
    label,
    name: at.name,
    error: at.error,
    // The star is drawn by the style sheet, so that the label stays the field's plain name.
    labelProps: { 'data-required': at.required || undefined },
  }
}
