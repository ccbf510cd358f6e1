import { noWeekendDays } from '../form/DayInput.tsx'
import '@mantine/dates/styles.layer.css'
import { Button, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { type FormEvent, useState } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import { addMonths, type CalendarDay, type DateRangePreset, formatDay, parseTypedDay } from '../cells/days.ts'
import { useIsPhone } from '../layout/useIsPhone.ts'
import classes from './DateRangePanel.module.css'

type DateRangePanelProps = {
  from: CalendarDay | undefined
  to: CalendarDay | undefined
  now: CalendarDay
  presets: readonly DateRangePreset[]
  choose: (from: CalendarDay, to: CalendarDay) => void
  clear: (() => void) | undefined
}

/** The panel of a date range filter. A preset or the second day in the calendar applies at once, typed days with Enter. */
export default function DateRangePanel({ from, to, now, presets, choose, clear }: DateRangePanelProps) {
  const [picked, setPicked] = useState<[CalendarDay | null, CalendarDay | null]>([from ?? null, to ?? null])
  const [typed, setTyped] = useState({ from: formatDay(from) ?? '', to: formatDay(to) ?? '' })
  const [error, setError] = useState<string | null>(null)
  const months = useIsPhone() ? 1 : 2

  function pick(days: [CalendarDay | null, CalendarDay | null]) {
    const [first, last] = days
    setPicked(days)
    setTyped({ from: formatDay(first) ?? '', to: formatDay(last) ?? '' })
    setError(null)
    if (first && last) choose(first, last)
  }
  function apply(event: FormEvent) {
    event.preventDefault()
    const first = parseTypedDay(typed.from)
    const last = parseTypedDay(typed.to)
    if (!first || !last) return setError('Type dates as MM/DD/YYYY')
    if (first > last) return setError('The first day is after the last')
    choose(first, last)
  }

  return (
    <div className={classes.panel}>
      <ul className={classes.presets}>
        {presets.map((preset) => (
          <li key={preset.label}>
            <button
              type="button"
              data-hover
              aria-pressed={preset.from === from && preset.to === to}
              onClick={() => choose(preset.from, preset.to)}
            >
              {preset.label}
            </button>
          </li>
        ))}
      </ul>
      <form className={arrange.stack} noValidate onSubmit={apply}>
        <div className={classes.typed}>
          <TextInput
            label="From"
            placeholder="MM/DD/YYYY"
            value={typed.from}
            onChange={(event) => setTyped({ ...typed, from: event.currentTarget.value })}
          />
          <TextInput
            label="To"
            placeholder="MM/DD/YYYY"
            value={typed.to}
            onChange={(event) => setTyped({ ...typed, to: event.currentTarget.value })}
          />
        </div>
        {error && (
          <p role="alert" className={classes.error}>
            {error}
          </p>
        )}
        <DatePicker
          type="range"
          value={picked}
          onChange={pick}
          numberOfColumns={months}
          defaultDate={addMonths(to ?? now, 1 - months)}
          getDayProps={(day) => (day === now ? { 'aria-current': 'date' } : {})}
          firstDayOfWeek={1}
          weekendDays={noWeekendDays}
          hideOutsideDates
          ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
          allowSingleDateInRange
          size="xs"
        />
        <div className={classes.buttons}>
          {clear && (
            <Button variant="subtle" onClick={clear}>
              Clear
            </Button>
          )}
          <Button type="submit">Apply</Button>
        </div>
      </form>
    </div>
  )
}
