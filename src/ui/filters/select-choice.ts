export type SelectChoice<Value> = {
  value: Value
  label: string
  /** The color of a marker before the label. */
  color?: string | undefined
  /** Distinguishes choices with similar names; searched too. */
  detail?: string | undefined
}

/** Returns whether the choice contains every typed word. */
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
  printed?: string | undefined
  choices: readonly SelectChoice<Value>[]
  chosen: readonly Value[]
  choose: (value: Value) => void
  clear: () => void
  closes?: boolean
}
