import { Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { type Day, type Range, shownDay, today, usualRanges } from '../cells/days.ts'
import { environment } from '../data/environment.ts'
import { part } from '../data/lazy-part.ts'
import classes from './filters.module.css'

// The calendar is as heavy as the rest of a screen, and most people only read the chip.
const DateRangePanel = part(() => import('./DateRangePanel.tsx'))

type Props = {
  label: string
  from: Day | undefined
  to: Day | undefined
  /** Both ends at once: `(from, to) => list.setFilters({ date_from: from, date_to: to })`. */
  set: (from: Day | undefined, to: Day | undefined) => void
  presets?: readonly Range[]
  /** Whether it may be emptied. */
  clearable?: boolean
  /** Whether it differs from where the list starts; without it, whether there is a range. */
  changed?: boolean
}

/** From a day to a day: presets, a calendar, or typed. */
export function DateRangeFilter({ label, from, to, set, presets, clearable = false, changed }: Props) {
  const [opened, setOpened] = useState(false)
  const now = today(environment.timezone)
  const offered = presets ?? usualRanges(now)
  const preset = offered.find((range) => range.from === from && range.to === to)
  const says = preset?.label ?? [shownDay(from) ?? '…', shownDay(to) ?? '…'].join(' – ')
  const isSet = from !== undefined || to !== undefined

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.chip}
          data-on={(changed ?? isSet) || undefined}
          onClick={() => setOpened(!opened)}
        >
          <IconCalendar size={14} aria-hidden="true" />
          {isSet ? `${label}: ${says}` : label}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Suspense fallback={<div className={classes.panelPlace} role="status" aria-label="Loading" />}>
          <DateRangePanel
            from={from}
            to={to}
            now={now}
            presets={offered}
            choose={(first, last) => {
              setOpened(false)
              set(first, last)
            }}
            clear={clearable && isSet ? () => set(undefined, undefined) : undefined}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
