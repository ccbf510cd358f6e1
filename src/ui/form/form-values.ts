import type { ControlSet } from './control-set.ts'
import type { FieldBinding, FieldControl } from './field-binding.ts'

/** Reads and writes the fields of a form beside their controls. */
export type FormValues = {
  read: (name: string) => unknown
  write: (name: string, value: unknown) => void
  /** Those of the form, which are loaded with it. */
  controls: ControlSet | undefined
}

/** Returns the values of a form, and a function after which its controls report theirs. */
export function createFormValues() {
  const bound = new Map<string, FieldBinding<unknown>>()
  const form: FormValues = {
    read: (name) => bound.get(name)?.value,
    write: (name, value) => bound.get(name)?.set(value),
    controls: undefined,
  }
  const report = (control: FieldControl<unknown>): FieldControl<unknown> =>
    Object.assign((at: FieldBinding<unknown>) => {
      bound.set(at.name, at)
      return control(at)
    }, control)
  const bind = <Fields extends object>(controls: ControlSet, fields: Fields): Fields => {
    form.controls = controls
    // Each control is typed for its own field's value; here they are handled alike, and keep their names.
    return Object.fromEntries(
      (Object.entries(fields) as [string, FieldControl<unknown>][]).map(([name, one]) => [name, report(one)]),
    ) as Fields
  }
  return { form, bind }
}
