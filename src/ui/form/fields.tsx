import { Fragment, type ReactNode } from 'react'
import type { Choice } from '../filters/ChoiceFilter.tsx'
import type { NumberOptions, SelectOptions, TextOptions } from './controls.tsx'

/** A field's place in its form, as a control takes it. null is "nothing there". */
export type FieldAt<Value> = {
  name: string
  value: Value | null | undefined
  set: (value: Value | null) => void
  error: string | undefined
  /** Errors deeper in the value, by the way to them: `3.endTime`. */
  within: Record<string, string>
  /** The contract refuses it when it is empty. */
  required: boolean
  /** A field of the object that this one holds: its place, and its own sentence. */
  part: (key: string) => FieldAt<unknown>
}

/** What fields are drawn with. The dialog hands it over, so that a screen that only declares fields need not load it. */
export type Controls = typeof import('./controls.tsx')

/** A control, given its place: what a form declares, `name: text('Name')`. */
export type FieldControl<Value> = ((at: FieldAt<Value>, controls: Controls) => ReactNode) & {
  /** Left empty it is not sent: what is there already stays. */
  keepsWhenEmpty?: true
}

export const text =
  (label: string, options: TextOptions = {}): FieldControl<string> =>
  (at, { Text }) => <Text label={label} at={at} {...options} />

export const password = (
  label: string,
  autoComplete: 'current-password' | 'new-password' = 'new-password',
): FieldControl<string> =>
  Object.assign(
    (at: FieldAt<string>, { Password }: Controls) => <Password label={label} at={at} autoComplete={autoComplete} />,
    { keepsWhenEmpty: true as const },
  )

export const textarea =
  (label: string, options: TextOptions & { rows?: number } = {}): FieldControl<string> =>
  (at, { LongText }) => <LongText label={label} at={at} {...options} />

/** A number; anything else becomes empty. `decimals` is 2 for money and 0 for counts. */
export const number =
  (label: string, options: NumberOptions = {}): FieldControl<number> =>
  (at, { Numeric }) => <Numeric label={label} at={at} {...options} />

/** A whole number as people type it; anything else becomes empty and is refused once. */
export const whole =
  (label: string): FieldControl<number> =>
  (at, { Whole }) => <Whole label={label} at={at} />

export const colour =
  (label: string): FieldControl<string> =>
  (at, { Colour }) => <Colour label={label} at={at} />

/** One of a few or many, found by typing. */
export const select =
  <Value extends string | number>(
    label: string,
    choices: readonly Choice<Value>[],
    options: SelectOptions = {},
  ): FieldControl<Value> =>
  (at, { One }) => <One label={label} at={at} choices={choices} {...options} />

export const multiSelect =
  <Value extends string | number>(label: string, choices: readonly Choice<Value>[]): FieldControl<Value[]> =>
  (at, { Many }) => <Many label={label} at={at} choices={choices} />

/** On or off. */
export const toggle =
  (label: string): FieldControl<boolean | 0 | 1> =>
  (at, { Toggle }) => <Toggle label={label} at={at} />

type Parts<Value> = { [Key in keyof Value]?: FieldControl<NonNullable<Value[Key]>> }
/** Fields of an object, such as the account within a client. */
export const group =
  <Value extends object>(fields: Parts<Value>): FieldControl<Value> =>
  (at, controls) =>
    // Each control is declared for the value of its own key.
    (Object.entries(fields) as [string, FieldControl<unknown>][]).map(([key, control]) => (
      <Fragment key={key}>{control(at.part(key), controls)}</Fragment>
    ))
