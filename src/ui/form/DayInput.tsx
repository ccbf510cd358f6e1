import '@mantine/dates/styles.layer.css'
import { DateInput, type DateInputProps } from '@mantine/dates'
import { useState } from 'react'
import { type CalendarDay, formatDay, parseTypedDay } from '../cells/days.ts'
import type { FieldBinding } from './field-binding.ts'

/** No red weekends: they would be hard to read on our background. */
export const noWeekendDays: (0 | 1)[] = []

type DayInputProps = Pick<DateInputProps, 'label' | 'name' | 'labelProps' | 'error'> & {
  at: FieldBinding<string>
  earliest?: CalendarDay
}

/** An input for a date, typed as MM/DD/YYYY or picked. What is no day is named, because the day before it comes back. */
export function DayInput({ at, earliest, error, ...rest }: DayInputProps) {
  const [unread, setUnread] = useState('')
  const [opened, setOpened] = useState(false)
  // The first field of a dialog has the focus from its start: a calendar would then cover the others.
  const [waits, setWaits] = useState<boolean>()
  return (
    <DateInput
      {...rest}
      error={unread === '' ? error : `‘${unread}’ is not a date, such as 11/25/2026`}
      value={at.value ?? null}
      onChange={at.set}
      valueFormat={(day) => formatDay(day) ?? day}
      dateParser={parseTypedDay}
      // Not `minDate`, which silently drops an earlier day that is typed. The server refuses it with a message.
      excludeDate={(day) => earliest !== undefined && day < earliest}
      placeholder="MM/DD/YYYY"
      firstDayOfWeek={1}
      weekendDays={noWeekendDays}
      hideOutsideDates
      ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
      // A second click on a required day keeps it. Deleting its text empties the field, which the form refuses.
      allowDeselect={!at.required}
      onInput={(event) => {
        setWaits(false)
        setUnread('')
        if (event.currentTarget.value.trim() === '') at.set(null)
      }}
      onFocus={({ currentTarget }) => setWaits(waits ?? currentTarget.hasAttribute('data-autofocus'))}
      onClick={() => setWaits(false)}
      onBlur={(event) => {
        const typed = event.currentTarget.value.trim()
        if (typed !== '' && parseTypedDay(typed) === null) setUnread(typed.slice(0, 40))
        setWaits(false)
      }}
      popoverProps={{ disabled: waits === true, onOpen: () => setOpened(true), onClose: () => setOpened(false) }}
      // Makes Escape close only the calendar, not the dialog around it too.
      data-mantine-stop-propagation={(opened && !waits) || undefined}
    />
  )
}
