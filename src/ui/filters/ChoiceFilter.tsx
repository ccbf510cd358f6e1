import { Suspense, useState } from 'react'
import { lazyComponent, loadPart } from '../data/lazy-part.ts'
import type { FilterBinding } from '../table/useList.ts'
import { ChoiceChip } from './ChoiceChip.tsx'
import type { ChoicePickerProps, ChoiceValue, SelectChoice } from './select-choice.ts'

/** Filters by one of many choices. Picking the chosen one again clears the filter. */
export function SelectFilter<Value extends ChoiceValue>(
  props: FilterBinding<Value | undefined> & { label: string; choices: readonly SelectChoice<Value>[] },
) {
  const { value, set, label, choices } = props
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <ChoicePicker
      label={label}
      says={value === undefined ? label : `${label}: ${chosen?.label ?? value}`}
      choices={choices}
      chosen={value === undefined ? [] : [value]}
      choose={(picked) => set(picked === value ? undefined : picked)}
      clear={() => set(undefined)}
      closes
    />
  )
}

/** Filters by any of many choices, found by typing. The chip shows how many are chosen. */
export function MultiSelectFilter<Value extends ChoiceValue>(
  props: FilterBinding<Value[] | undefined> & { label: string; choices: readonly SelectChoice<Value>[] },
) {
  const { value = [], set, label, choices } = props
  const labels = value.map((one) => choices.find((choice) => choice.value === one)?.label ?? one)
  const named = `${label}: ${labels.join(', ')}`
  return (
    <ChoicePicker
      label={label}
      says={value.length === 0 ? label : value.length === 1 ? named : `${label}: ${value.length}`}
      printed={value.length > 1 ? named : undefined}
      choices={choices}
      chosen={value}
      choose={(picked) => {
        const next = value.includes(picked) ? value.filter((other) => other !== picked) : [...value, picked]
        set(next.length > 0 ? next : undefined, value.length > 0)
      }}
      clear={() => set(undefined)}
    />
  )
}

const loadChoiceList = () => loadPart(() => import('./ChoiceList.tsx'))
const ChoiceList = lazyComponent(loadChoiceList)

/** The chip of a filter. Its list, as large as the rest of a screen, loads on first hover or focus. */
function ChoicePicker<Value extends ChoiceValue>(props: ChoicePickerProps<Value>) {
  const [wasOpened, setWasOpened] = useState(false)
  const chip = (
    <ChoiceChip
      says={props.says}
      printed={props.printed}
      isSet={props.chosen.length > 0}
      onPointerEnter={() => void loadChoiceList()}
      onFocus={() => void loadChoiceList()}
      onClick={() => setWasOpened(true)}
      aria-haspopup="listbox"
      aria-expanded={wasOpened}
    />
  )
  if (!wasOpened) return chip
  return (
    <Suspense fallback={chip}>
      {/* `lazy` drops type parameters; the chosen values come from the choices themselves. */}
      <ChoiceList {...(props as unknown as ChoicePickerProps<ChoiceValue>)} />
    </Suspense>
  )
}
