import type { ReactNode } from 'react'

/** Binds a control to its field in the form. null means empty. */
export type FieldBinding<Value> = {
  name: string
  value: Value | null | undefined
  set: (value: Value | null) => void
  error: string | undefined
  /** Errors deeper in the value, by path: `3.endTime`. */
  within: Record<string, string>
  /** Whether the contract refuses an empty value. */
  required: boolean
  /** Returns the value of another field of the form. */
  other: (name: string) => unknown
  /** Returns the binding of a field of this field's object. */
  part: (key: string) => FieldBinding<unknown>
}

/** Renders a field: what a form declares, `name: textControl('Name')`. */
export type FieldControl<Value> = ((at: FieldBinding<Value>) => ReactNode) & {
  /** An empty value is not sent, so that the stored one stays. */
  keepsWhenEmpty?: true
  /** A call of its own stores it: it is not sent with the form. */
  isStoredApart?: true
}
