import { Fragment, type ReactNode } from 'react'
import type { SelectChoice } from '../filters/select-choice.ts'
import type { CreateChoice, MoneyOptions, SelectOptions, TextOptions } from './controls.tsx'
import type { FieldBinding } from './field-binding.ts'

/** The control components. The dialog passes them in, so that a screen that only declares fields does not load them. */
type ControlComponents = typeof import('./controls.tsx')

/** Renders the control of a field: what a form declares, `name: textControl('Name')`. */
export type FieldControl<Value> = ((at: FieldBinding<Value>, controls: ControlComponents) => ReactNode) & {
  /** An empty value is not sent, so that the stored one stays. */
  keepsWhenEmpty?: true
}

export const textControl =
  (label: string, options: TextOptions = {}): FieldControl<string> =>
  (at, { TextControl }) => <TextControl label={label} at={at} {...options} />

export const passwordControl = (
  label: string,
  autoComplete: 'current-password' | 'new-password' = 'new-password',
): FieldControl<string> =>
  Object.assign(
    (at: FieldBinding<string>, { PasswordControl }: ControlComponents) => (
      <PasswordControl label={label} at={at} autoComplete={autoComplete} />
    ),
    { keepsWhenEmpty: true as const },
  )

export const textareaControl =
  (label: string, options: TextOptions & { rows?: number } = {}): FieldControl<string> =>
  (at, { TextareaControl }) => <TextareaControl label={label} at={at} {...options} />

/** An amount of dollars; other text becomes empty. */
export const moneyControl =
  (label: string, options: MoneyOptions = {}): FieldControl<number> =>
  (at, { MoneyControl }) => <MoneyControl label={label} at={at} {...options} />

/** A whole number; other text becomes empty and is refused once. */
export const wholeNumberControl =
  (label: string): FieldControl<number> =>
  (at, { WholeNumberControl }) => <WholeNumberControl label={label} at={at} />

export const colorControl =
  (label: string): FieldControl<string> =>
  (at, { ColorControl }) => <ColorControl label={label} at={at} />

/** One of several choices; long lists are searched by typing. */
export const selectControl =
  <Value extends string | number>(
    label: string,
    choices: readonly SelectChoice<Value>[],
    options: SelectOptions & { create?: CreateChoice<Value> | undefined } = {},
  ): FieldControl<Value> =>
  (at, { SelectControl }) => <SelectControl label={label} at={at} choices={choices} {...options} />

export const multiSelectControl =
  <Value extends string | number>(
    label: string,
    choices: readonly SelectChoice<Value>[],
    options: { create?: CreateChoice<Value> | undefined } = {},
  ): FieldControl<Value[]> =>
  (at, { MultiSelectControl }) => <MultiSelectControl label={label} at={at} choices={choices} {...options} />

/** A switch. */
export const toggleControl =
  (label: string): FieldControl<boolean | 0 | 1> =>
  (at, { ToggleControl }) => <ToggleControl label={label} at={at} />

type GroupFields<Value> = { [Key in keyof Value]?: FieldControl<NonNullable<Value[Key]>> }
/** Fields of an object, such as the account within a client. */
export const groupControl =
  <Value extends object>(fields: GroupFields<Value>): FieldControl<Value> =>
  (at, controls) =>
    // Each control is typed for the value of its own key.
    (Object.entries(fields) as [string, FieldControl<unknown>][]).map(([key, control]) => (
      <Fragment key={key}>{control(at.part(key), controls)}</Fragment>
    ))
