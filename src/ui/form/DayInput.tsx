import '@mantine/dates/styles.layer.css'
import { DateInput } from '@mantine/dates'
import { useState } from 'react'
import { type Day, shownDay, typedDay } from '../cells/days.ts'
import { common } from './controls.tsx'
import type { FieldAt } from './fields.tsx'

/** Weekends are days like others; their red would not be read against our background. */
const noDays: (0 | 1)[] = []

/** A day, typed as MM/DD/YYYY or picked. */
export default function DayInput({ label, at, earliest }: { label: string; at: FieldAt<string>; earliest?: Day }) {
  const [opened, setOpened] = useState(false)
  return (
    <DateInput
      {...common(label, at)}
      value={at.value ?? null}
      onChange={at.set}
      valueFormat={(day) => shownDay(day) ?? day}
      dateParser={typedDay}
      minDate={earliest}
      placeholder="MM/DD/YYYY"
      firstDayOfWeek={1}
      weekendDays={noDays}
      hideOutsideDates
      ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
      allowDeselect
      popoverProps={{ onOpen: () => setOpened(true), onClose: () => setOpened(false) }}
      // Escape closes the calendar first; without this mark the dialog around it would close too.
      data-mantine-stop-propagation={opened || undefined}
    />
  )
}
