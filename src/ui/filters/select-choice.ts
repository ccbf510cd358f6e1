import { foldSearch } from '#contract/fold-text.ts'

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
  const text = foldSearch(`${label} ${detail}`)
  return foldSearch(typed)
    .split(' ')
    .every((word) => text.includes(word))
}

export type ChoiceValue = string | number

export type ChoicePickerProps<Value> = {
  label: string
  text: string
  printed?: string | undefined
  /** Undefined while they load. */
  choices: readonly SelectChoice<Value>[] | undefined
  chosen: readonly Value[]
  choose: (value: Value) => void
  clear: () => void
  closes?: boolean
  /** Runs when the chip is hovered or focused, before it can open: time to load the choices. */
  onNear?: (() => void) | undefined
}
