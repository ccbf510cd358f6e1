import { Suspense, useState } from 'react'
import { lazyComponent, loadPart } from '../data/lazy-part.ts'
import type { FilterBinding } from '../table/useList.ts'
import { ChoiceChip } from './ChoiceChip.tsx'
import type { ChoicePickerProps, ChoiceValue } from './select-choice.ts'

type ChoiceFilterProps<Value> = Pick<ChoicePickerProps<Value>, 'label' | 'choices' | 'onNear'>

/** Filters by one of many choices. Picking the chosen one again clears the filter. */
export function SelectFilter<Value extends ChoiceValue>(
  props: FilterBinding<Value | undefined> & ChoiceFilterProps<Value>,
) {
  const { value, set, label, choices, onNear } = props
  const chosen = choices?.find((choice) => choice.value === value)
  return (
    <ChoicePicker
      label={label}
      text={value === undefined ? label : `${label}: ${chosen?.label ?? value}`}
      choices={choices}
      chosen={value === undefined ? [] : [value]}
      choose={(picked) => set(picked === value ? undefined : picked)}
      clear={() => set(undefined)}
      onNear={onNear}
      closes
    />
  )
}

/** Filters by any of many choices, found by typing. The chip shows how many are chosen. */
export function MultiSelectFilter<Value extends ChoiceValue>(
  props: FilterBinding<Value[] | undefined> & ChoiceFilterProps<Value>,
) {
  const { value = [], set, label, choices, onNear } = props
  const labels = value.map((one) => choices?.find((choice) => choice.value === one)?.label ?? one)
  const named = `${label}: ${labels.join(', ')}`
  return (
    <ChoicePicker
      label={label}
      text={value.length === 0 ? label : value.length === 1 ? named : `${label}: ${value.length}`}
      printed={value.length > 1 ? named : undefined}
      choices={choices}
      chosen={value}
      choose={(picked) => {
        const next = value.includes(picked) ? value.filter((other) => other !== picked) : [...value, picked]
        set(next.length > 0 ? next : undefined, value.length > 0)
      }}
      clear={() => set(undefined)}
      onNear={onNear}
    />
  )
}

const loadChoiceList = () => loadPart(() => import('./ChoiceList.tsx'))
const ChoiceList = lazyComponent(loadChoiceList)

/** The chip of a filter. Its list, as large as the rest of a screen, loads on first hover or focus. */
function ChoicePicker<Value extends ChoiceValue>(props: ChoicePickerProps<Value>) {
  const [wasOpened, setWasOpened] = useState(false)
  const load = () => {
    void loadChoiceList()
    props.onNear?.()
  }
  const chip = (
    <ChoiceChip
      text={props.text}
      printed={props.printed}
      isSet={props.chosen.length > 0}
      onPointerEnter={load}
      onFocus={load}
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
