import { useId } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import classes from '../table/Pager.module.css'

type SmallSelectProps<Value> = {
  label: string
  value: Value
  choices: readonly { value: Value; label: string }[]
  choose: (value: Value) => void
}

/** A native select for a few display options of a list. */
export function SmallSelect<Value extends string | number>({ label, value, choices, choose }: SmallSelectProps<Value>) {
  const id = useId()
  return (
    <div className={`${arrange.line} ${classes.size}`}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = choices[event.currentTarget.selectedIndex]
          if (chosen) choose(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}
