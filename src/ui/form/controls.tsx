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
import { useEffect, useRef, useState } from 'react'
import { ChoiceLabel } from '../filters/ChoiceLabel.tsx'
import { isChoiceMatch, type SelectChoice } from '../filters/select-choice.ts'
import { ColorInput } from './ColorInput.tsx'
import type { FieldBinding } from './field-binding.ts'
import { WholeNumberInput } from './WholeNumberInput.tsx'

/** The controls of form fields. Large, so loaded together with the dialog that renders them: see `fields.tsx`. */

type ControlProps<Value> = { label: string; at: FieldBinding<Value> }
export type TextOptions = { placeholder?: string; hint?: string }

export function TextControl({ label, at, hint, placeholder }: ControlProps<string> & TextOptions) {
  return (
    <TextInput
      {...buildInputProps(label, at)}
      description={hint}
      placeholder={placeholder}
      autoComplete="off"
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )
}

export function PasswordControl({ label, at, autoComplete }: ControlProps<string> & { autoComplete: string }) {
  return (
    <PasswordInput
      {...buildInputProps(label, at)}
      // The library does not set it here.
      aria-invalid={at.error !== undefined || undefined}
      autoComplete={autoComplete}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )
}

export function TextareaControl({
  label,
  at,
  hint,
  placeholder,
  rows = 4,
}: ControlProps<string> & TextOptions & { rows?: number }) {
  return (
    <Textarea
      {...buildInputProps(label, at)}
      description={hint}
      placeholder={placeholder}
      rows={rows}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )
}

export type MoneyOptions = { min?: number }

export function MoneyControl({ label, at, min }: ControlProps<number> & MoneyOptions) {
  // The text as typed: 25.0 may become 25.05.
  const [typed, setTyped] = useState<number | string>('')
  return (
    <NumberInput
      {...buildInputProps(label, at)}
      decimalScale={2}
      prefix="$"
      thousandSeparator=","
      min={min}
      hideControls
      inputMode="decimal"
      value={typed !== '' && Number(typed) === at.value ? typed : formatStart(at.value)}
      onChange={(value) => {
        setTyped(value)
        at.set(value === '' || Number.isNaN(Number(value)) ? null : Number(value))
      }}
    />
  )
}

/** 62.5 dollars are $62.50, but 1500 are $1,500. */
const formatStart = (value: number | null | undefined) =>
  value == null || Number.isInteger(value) ? (value ?? '') : value.toFixed(2)

export function WholeNumberControl({ label, at }: ControlProps<number>) {
  return <WholeNumberInput {...buildInputProps(label, at)} value={at.value} set={at.set} />
}

export function ColorControl({ label, at }: ControlProps<string>) {
  return <ColorInput {...buildInputProps(label, at)} value={at.value ?? ''} set={at.set} />
}

type SelectValue = string | number
export type SelectOptions = {
  clearable?: boolean
  placeholder?: string
  /** Makes a short list searchable; long ones always are. */
  searchable?: boolean
}
/** Creates a choice with the typed name and returns its value; null on failure. */
export type CreateChoice<Value> = (name: string) => Promise<Value | null>

export function SelectControl<Value extends SelectValue>(
  props: ControlProps<Value> &
    SelectOptions & { choices: readonly SelectChoice<Value>[]; create?: CreateChoice<Value> | undefined },
) {
  const { label, at, choices, clearable = false, placeholder, searchable = false, create } = props
  const [typed, setTyped] = useState('')
  return (
    <Select
      {...buildInputProps(label, at)}
      {...toSelectData(choices, create && typed)}
      searchable={searchable || create !== undefined || choices.length > 8}
      openOnFocus={false}
      clearable={clearable}
      placeholder={placeholder}
      nothingFoundMessage="Nothing found"
      limit={maxShownOptions}
      {...(create ? { searchValue: typed, onSearchChange: setTyped } : {})}
      value={at.value === null || at.value === undefined ? null : String(at.value)}
      onChange={(picked) => {
        if (picked === createValue) void create?.(typed.trim()).then((made) => made !== null && at.set(made))
        else at.set(choices.find((choice) => String(choice.value) === picked)?.value ?? null)
      }}
    />
  )
}

export function MultiSelectControl<Value extends SelectValue>({
  label,
  at,
  choices,
  create,
}: ControlProps<Value[]> & {
  choices: readonly SelectChoice<Value>[]
  create?: CreateChoice<Value> | undefined
}) {
  const [typed, setTyped] = useState('')
  // Others may be picked while a choice is being created.
  const latest = useRef(at)
  useEffect(() => {
    latest.current = at
  })
  const add = (made: Value | null) => {
    const { value, set } = latest.current
    if (made !== null) set([...(value ?? []), made])
  }
  const pick = (picked: string[]) => {
    if (picked.includes(createValue)) return void create?.(typed.trim()).then(add)
    at.set(choices.filter((choice) => picked.includes(String(choice.value))).map((choice) => choice.value))
  }
  return (
    <MultiSelect
      {...buildInputProps(label, at)}
      {...toSelectData(choices, create && typed)}
      {...(create ? { searchValue: typed, onSearchChange: setTyped } : {})}
      searchable
      openOnFocus={false}
      hidePickedOptions
      nothingFoundMessage="Nothing found"
      limit={maxShownOptions}
      value={(at.value ?? []).map(String)}
      onChange={pick}
    />
  )
}

/** Further options are found by typing. */
const maxShownOptions = 200

/** The value of the option that creates a choice. */
const createValue = 'create'

/** Converts choices for the library's lists; adds an option to create the `typed` name where no choice has it. */
function toSelectData<Value extends SelectValue>(choices: readonly SelectChoice<Value>[], typed = '') {
  const byText = new Map(choices.map((choice) => [String(choice.value), choice]))
  const name = typed.trim()
  const isNew = name !== '' && !choices.some(({ label }) => label.toLowerCase() === name.toLowerCase())
  const data = choices.map((choice) => ({ value: String(choice.value), label: choice.label }))
  return {
    data: isNew ? [...data, { value: createValue, label: name }] : data,
    renderOption: ({ option }: { option: { value: string } }) => {
      const choice = byText.get(option.value)
      return choice ? <ChoiceLabel choice={choice} /> : `Create “${name}”`
    },
    filter: ({ options, search, limit }: Parameters<OptionsFilter>[0]) =>
      options
        .filter((option) => {
          if ('value' in option && option.value === createValue) return true
          const choice = 'value' in option && byText.get(String(option.value))
          return choice && isChoiceMatch(choice, search)
        })
        .slice(0, limit),
  }
}

export function ToggleControl({ label, at }: ControlProps<boolean | 0 | 1>) {
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

/** A value that is shown but not sent, such as an email that cannot be changed here. */
export function ReadOnlyControl({ label, value }: { label: string; value: string }) {
  return <TextInput label={label} value={value} readOnly variant="filled" />
}

/** Returns the props that all controls share. */
export function buildInputProps(label: string, at: Pick<FieldBinding<unknown>, 'name' | 'error' | 'required'>) {
  return {
    label,
    name: at.name,
    error: at.error,
    // The style sheet draws the asterisk, so that the label stays the field's plain name.
    labelProps: { 'data-required': at.required || undefined },
  }
}
