import { MultiSelect, NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Choice } from './ChoiceFilter.tsx'
import { ColourInput } from './ColourInput.tsx'

/** A field's place in its form, as a control takes it. null is "nothing there". */
export type FieldAt<Value> = {
  name: string
  value: Value | null | undefined
  set: (value: Value | null) => void
  error: string | undefined
  /** The contract refuses it when it is empty. */
  required: boolean
}

/** A control, given its place: what a form declares, `name: text('Name')`. */
export type FieldControl<Value> = (at: FieldAt<Value>) => ReactNode

type TextOptions = { placeholder?: string; hint?: string; autoComplete?: string }

export const text =
  (label: string, { hint, autoComplete = 'off', ...rest }: TextOptions = {}): FieldControl<string> =>
  (at) => (
    <TextInput
      {...common(label, at)}
      {...rest}
      description={hint}
      autoComplete={autoComplete}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )

export const password =
  (label: string, autoComplete: 'current-password' | 'new-password' = 'new-password'): FieldControl<string> =>
  (at) => (
    <PasswordInput
      {...common(label, at)}
      // The library forgets to say it here.
      aria-invalid={at.error !== undefined || undefined}
      autoComplete={autoComplete}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )

export const textarea =
  (label: string, { hint, rows = 4, ...rest }: TextOptions & { rows?: number } = {}): FieldControl<string> =>
  (at) => (
    <Textarea
      {...common(label, at)}
      {...rest}
      description={hint}
      rows={rows}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )

/** A number; anything else becomes empty. `decimals` is 2 for money and 0 for counts. */
export const number =
  (
    label: string,
    { decimals = 0, prefix, min }: { decimals?: number; prefix?: string; min?: number } = {},
  ): FieldControl<number> =>
  (at) => (
    <NumberInput
      {...common(label, at)}
      decimalScale={decimals}
      prefix={prefix}
      min={min}
      hideControls
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      value={at.value ?? ''}
      onChange={(value) => at.set(typeof value === 'number' ? value : null)}
    />
  )

export const colour =
  (label: string): FieldControl<string> =>
  (at) => <ColourInput {...common(label, at)} value={at.value ?? ''} set={at.set} />

/** One of a few or many, found by typing. */
export const select =
  <Value extends string | number>(
    label: string,
    choices: readonly Choice<Value>[],
    { clearable = false, placeholder }: { clearable?: boolean; placeholder?: string } = {},
  ): FieldControl<Value> =>
  (at) => (
    <Select
      {...common(label, at)}
      data={choices.map((choice) => ({ value: String(choice.value), label: choice.label }))}
      searchable={choices.length > 8}
      clearable={clearable}
      placeholder={placeholder}
      nothingFoundMessage="Nothing found"
      limit={200}
      value={at.value === null || at.value === undefined ? null : String(at.value)}
      onChange={(picked) => at.set(choices.find((choice) => String(choice.value) === picked)?.value ?? null)}
    />
  )

export const multiSelect =
  <Value extends string | number>(label: string, choices: readonly Choice<Value>[]): FieldControl<Value[]> =>
  (at) => (
    <MultiSelect
      {...common(label, at)}
      data={choices.map((choice) => ({ value: String(choice.value), label: choice.label }))}
      searchable
      hidePickedOptions
      nothingFoundMessage="Nothing found"
      limit={200}
      value={(at.value ?? []).map(String)}
      onChange={(picked) =>
        at.set(choices.filter((choice) => picked.includes(String(choice.value))).map((choice) => choice.value))
      }
    />
  )

/** On or off. */
export const toggle =
  (label: string): FieldControl<boolean | 0 | 1> =>
  (at) => (
    <Switch
      label={label}
      name={at.name}
      error={at.error}
      checked={at.value === true || at.value === 1}
      onChange={(event) => at.set(event.currentTarget.checked)}
    />
  )

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
