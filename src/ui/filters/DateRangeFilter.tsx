import { Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { type CalendarDay, type DateRangePreset, formatDay, getDateRangePresets, getToday } from '../cells/days.ts'
import { appConfig } from '../data/environment.ts'
import { lazyComponent } from '../data/lazy-part.ts'
import classes from './filters.module.css'

// Lazy: the calendar is as large as the rest of a screen, and most visits do not open it.
const DateRangePanel = lazyComponent(() => import('./DateRangePanel.tsx'))

type DateRangeFilterProps = {
  label: string
  from: CalendarDay | undefined
  to: CalendarDay | undefined
  /** Sets both ends at once: `(from, to) => list.setFilters({ date_from: from, date_to: to })`. */
  set: (from: CalendarDay | undefined, to: CalendarDay | undefined) => void
  presets?: readonly DateRangePreset[]
  /** Whether the range can be cleared. */
  clearable?: boolean
  /** Whether the range differs from the list's default. */
  changed: boolean
}

/** Filters by a date range: a preset, picked in a calendar, or typed. */
export function DateRangeFilter({ label, from, to, set, presets, clearable = false, changed }: DateRangeFilterProps) {
  const [opened, setOpened] = useState(false)
  const now = getToday(appConfig.timezone)
  const offered = presets ?? getDateRangePresets(now)
  const preset = offered.find((range) => range.from === from && range.to === to)
  const range = preset?.label ?? [formatDay(from) ?? '…', formatDay(to) ?? '…'].join(' – ')
  const isSet = from !== undefined || to !== undefined

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.chip}
          data-hover
          data-on={changed || undefined}
          data-set={isSet || undefined}
          onClick={() => setOpened(!opened)}
        >
          <IconCalendar size={14} aria-hidden="true" />
          {isSet ? `${label}: ${range}` : label}
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
