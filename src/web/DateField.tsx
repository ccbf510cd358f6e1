import '@mantine/dates/styles.layer.css'
import { DateInput } from '@mantine/dates'
import { type Day, shownDay, typedDay } from './days.ts'
import { common, type FieldControl } from './fields.tsx'

/** A day, typed as MM/DD/YYYY or picked. In a file of its own: the calendar is loaded only where a form needs it. */
export const date =
  (label: string, { earliest }: { earliest?: Day } = {}): FieldControl<string> =>
  (at) => (
    <DateInput
      {...common(label, at)}
      value={at.value ?? null}
      onChange={at.set}
      valueFormat={(day) => shownDay(day) ?? day}
      dateParser={typedDay}
      minDate={earliest}
      placeholder="MM/DD/YYYY"
      firstDayOfWeek={1}
      allowDeselect
    />
  )
