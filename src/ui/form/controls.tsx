import { MultiSelect, type OptionsFilter, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { Fragment, useEffect, useRef, useState } from 'react'
import {
  type CustomField,
  type FieldDefinition,
  type FieldDefinitions,
  type FieldValue,
  type FormField,
  getFormFields,
} from '#contract/field-definitions.ts'
import type { CalendarDay } from '../cells/days.ts'
import { ChoiceLabel } from '../filters/ChoiceLabel.tsx'
import { isChoiceMatch, type SelectChoice } from '../filters/select-choice.ts'
import { ColorInput } from './ColorInput.tsx'
import { DayInput } from './DayInput.tsx'
import type { FieldBinding, FieldControl } from './field-binding.ts'
import { MoneyInput } from './MoneyInput.tsx'
import { WholeNumberInput } from './WholeNumberInput.tsx'

/** The controls of form fields. They come with the form's chunk: a form's `fields` is called with this file once it is loaded. */

type TextOptions = { placeholder?: string; hint?: string }

export const textControl =
  (label: string, { hint, placeholder }: TextOptions = {}): FieldControl<string> =>
  (at) => (
    <TextInput
      {...buildInputProps(label, at)}
      description={hint}
      placeholder={placeholder}
      autoComplete="off"
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )

export const passwordControl = (
  label: string,
  { autoComplete = 'new-password', hint }: { autoComplete?: 'current-password' | 'new-password'; hint?: string } = {},
): FieldControl<string> =>
  Object.assign(
    (at: FieldBinding<string>) => (
      <PasswordInput
        {...buildInputProps(label, at)}
        description={hint}
        // The library does not set it here.
        aria-invalid={at.error !== undefined || undefined}
        autoComplete={autoComplete}
        value={at.value ?? ''}
        onChange={(event) => at.set(event.currentTarget.value)}
      />
    ),
    { keepsWhenEmpty: true as const },
  )

export const textareaControl =
  (label: string, { hint, placeholder, rows = 4 }: TextOptions & { rows?: number } = {}): FieldControl<string> =>
  (at) => (
    <Textarea
      {...buildInputProps(label, at)}
      description={hint}
      placeholder={placeholder}
      rows={rows}
      value={at.value ?? ''}
      onChange={(event) => at.set(event.currentTarget.value)}
    />
  )

type ControlProps<Value> = { label: string; at: FieldBinding<Value> }
/** An amount of dollars; text without one meaning is refused. */
export const moneyControl =
  (label: string): FieldControl<number> =>
  (at) => <MoneyInput {...buildInputProps(label, at)} value={at.value} set={at.set} />

/** A whole number; other text becomes empty and is refused once. */
export const wholeNumberControl =
  (label: string): FieldControl<number> =>
  (at) => <WholeNumberInput {...buildInputProps(label, at)} value={at.value} set={at.set} />

export const colorControl =
  (label: string): FieldControl<string> =>
  (at) => <ColorInput {...buildInputProps(label, at)} value={at.value ?? ''} set={at.set} />

/** A date, typed as MM/DD/YYYY or picked. */
export const dateControl =
  (label: string, options: { earliest?: CalendarDay } = {}): FieldControl<string> =>
  (at) => <DayInput {...buildInputProps(label, at)} at={at} {...options} />

type SelectValue = string | number
type SelectOptions = {
  clearable?: boolean
  hint?: string | undefined
  placeholder?: string
  /** Makes a short list searchable; long ones always are. */
  searchable?: boolean
}
type ChoiceOptions<Value> = {
  /** Creates a choice with the typed name and returns its value; null on failure. */
  create?: ((name: string) => Promise<Value | null>) | undefined
}
type ChoiceProps<Value> = ChoiceOptions<Value> & { choices: readonly SelectChoice<Value>[] }

/** One of several choices; long lists are searched by typing. */
export const selectControl =
  <Value extends SelectValue>(
    label: string,
    choices: readonly SelectChoice<Value>[],
    options: SelectOptions & ChoiceOptions<Value> = {},
  ): FieldControl<Value> =>
  (at) => <SelectInput label={label} at={at} choices={choices} {...options} />

function SelectInput<Value extends SelectValue>(props: ControlProps<Value> & SelectOptions & ChoiceProps<Value>) {
  const { label, at, choices, clearable = false, hint, placeholder, searchable = false, create } = props
  const [typed, setTyped] = useState('')
  return (
    <Select
      {...buildInputProps(label, at)}
      {...toSelectData(choices, create && typed)}
      searchable={searchable || create !== undefined || choices.length > 8}
      openOnFocus={false}
      clearable={clearable}
      allowDeselect={!at.required}
      description={hint}
      placeholder={placeholder}
      nothingFoundMessage={describeNoOption(choices, create)}
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

export const multiSelectControl =
  <Value extends SelectValue>(
    label: string,
    choices: readonly SelectChoice<Value>[],
    options: ChoiceOptions<Value> = {},
  ): FieldControl<Value[]> =>
  (at) => <MultiSelectInput label={label} at={at} choices={choices} {...options} />

function MultiSelectInput<Value extends SelectValue>(props: ControlProps<Value[]> & ChoiceProps<Value>) {
  const { label, at, choices, create } = props
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
      nothingFoundMessage={describeNoOption(choices, create)}
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

/** What a list without an option says. One that creates what is typed is only empty before anything is typed. */
const describeNoOption = (choices: readonly unknown[], create: unknown): string =>
  create ? 'Type a name to create one' : choices.length > 0 ? 'Nothing found' : 'List is empty'

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

/** A switch. */
export const toggleControl =
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

type GroupFields<Value> = { [Key in keyof Value]?: FieldControl<NonNullable<Value[Key]>> }
/** Fields of an object, such as the account within a client. */
export const groupControl =
  <Value extends object>(fields: GroupFields<Value>): FieldControl<Value> =>
  (at) =>
    // Each control is typed for the value of its own key.
    (Object.entries(fields) as [string, FieldControl<unknown>][]).map(([key, control]) => (
      <Fragment key={key}>{control(at.part(key))}</Fragment>
    ))

/** Returns the props that all controls share. */
function buildInputProps(label: string, at: Pick<FieldBinding<unknown>, 'name' | 'error' | 'required'>) {
  return {
    label,
    name: at.name,
    error: at.error,
    // The style sheet draws the asterisk, so that the label stays the field's plain name.
    labelProps: { 'data-required': at.required || undefined },
  }
}

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
      return moneyControl(label)
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
