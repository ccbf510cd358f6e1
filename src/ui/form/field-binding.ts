/** A field's place in its form, as a control takes it. null is "nothing there". */
export type FieldBinding<Value> = {
  name: string
  value: Value | null | undefined
  set: (value: Value | null) => void
  error: string | undefined
  /** Errors deeper in the value, by the way to them: `3.endTime`. */
  within: Record<string, string>
  /** The contract refuses it when it is empty. */
  required: boolean
  /** The value of another field of the form. */
  other: (name: string) => unknown
  /** A field of the object that this one holds: its place, and its own sentence. */
  part: (key: string) => FieldBinding<unknown>
}
