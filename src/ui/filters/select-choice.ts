export type SelectChoice<Value> = {
  value: Value
  label: string
  /** A color marker before it. */
  color?: string | undefined
  /** What tells it from others of a like name; found by typing too. */
  detail?: string | undefined
}

/** Whether this is what is typed to find: every word of it stands somewhere. */
export function isChoiceMatch({ label, detail = '' }: SelectChoice<unknown>, typed: string): boolean {
  const text = `${label} ${detail}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export type ChoiceValue = string | number

export type ChoicePickerProps<Value> = {
  label: string
  says: string
  choices: readonly SelectChoice<Value>[]
  chosen: readonly Value[]
  choose: (value: Value) => void
  clear: () => void
  closes?: boolean
}
