import '@mantine/dates/styles.layer.css'
import { DateInput } from '@mantine/dates'
import { useState } from 'react'
import { type CalendarDay, formatDay, parseTypedDay } from '../cells/days.ts'
import { buildInputProps } from './controls.tsx'
import type { FieldBinding } from './field-binding.ts'

/** Weekends are days like others; their red would not be read against our background. */
const noWeekendDays: (0 | 1)[] = []

/** A day, typed as MM/DD/YYYY or picked. */
export default function DayInput({
  label,
  at,
  earliest,
}: {
  label: string
  at: FieldBinding<string>
  earliest?: CalendarDay
}) {
  const [opened, setOpened] = useState(false)
  return (
    <DateInput
      {...buildInputProps(label, at)}
      value={at.value ?? null}
      onChange={at.set}
      valueFormat={(day) => formatDay(day) ?? day}
      dateParser={parseTypedDay}
      minDate={earliest}
      placeholder="MM/DD/YYYY"
      firstDayOfWeek={1}
      weekendDays={noWeekendDays}
      hideOutsideDates
      ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
      allowDeselect
      popoverProps={{ onOpen: () => setOpened(true), onClose: () => setOpened(false) }}
      // Escape closes the calendar first; without this mark the dialog around it would close too.
      data-mantine-stop-propagation={opened || undefined}
    />
  )
}
