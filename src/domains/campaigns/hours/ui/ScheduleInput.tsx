import { IconCopy } from '@tabler/icons-react'
import { Fragment, useId } from 'react'
import { halfHourOptions, type WorkingSchedule } from '#domains/campaigns/schedule.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import type { FieldBinding } from '#ui/form/field-binding.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import classes from './ScheduleInput.module.css'
import { orderedWeekdays } from './weekdays.ts'

type ScheduleDay = WorkingSchedule[number]
type ScheduleInputProps = { at: FieldBinding<WorkingSchedule> } & Pick<ControlSet, 'toggleControl'>

/** A row for each weekday: whether it is a working day, with its start and end. */
export function ScheduleInput({ at, toggleControl }: ScheduleInputProps) {
  const id = useId()
  const schedule = at.value ?? []
  const change = (day: number, fields: Partial<ScheduleDay>) =>
    at.set(schedule.map((entry) => (entry.day === day ? { ...entry, ...fields } : entry)))
  const copy = ({ startTime, endTime }: ScheduleDay) =>
    at.set(schedule.map((entry) => ({ ...entry, startTime, endTime })))

  return (
    <fieldset className={classes.days}>
      <legend>Schedule</legend>
      {orderedWeekdays.map(({ day, name }) => {
        const index = schedule.findIndex((entry) => entry.day === day)
        const entry = schedule[index]
        if (!entry) return null
        const problem = at.within[`${index}.startTime`] ?? at.within[`${index}.endTime`]
        const select = (field: 'startTime' | 'endTime', label: string) => (
          <select
            name={`${at.name}.${index}.${field}`}
            aria-label={`${name} ${label}`}
            aria-invalid={at.within[`${index}.${field}`] !== undefined || undefined}
            aria-describedby={problem ? `${id}-${day}` : undefined}
            value={entry[field]}
            onChange={(event) => change(day, { [field]: event.currentTarget.value })}
          >
            {(field === 'startTime' ? halfHourOptions.slice(0, -1) : halfHourOptions).map((time) => (
              <option key={time}>{time}</option>
            ))}
          </select>
        )
        return (
          <Fragment key={day}>
            <div className={classes.day} data-off={!entry.enabled || undefined}>
              {toggleControl(name)({
                ...at,
                name: `${at.name}.${index}.enabled`,
                value: entry.enabled,
                error: undefined, // below the row
                set: (enabled) => change(day, { enabled: enabled === true }),
              })}
              {select('startTime', 'start')}
              <span aria-hidden="true">–</span>
              {select('endTime', 'end')}
              <IconButton
                label={`Copy the hours of ${name} to the other days`}
                icon={IconCopy}
                title="Copy these hours to the other days"
                onClick={() => copy(entry)}
              />
            </div>
            {problem && (
              <p id={`${id}-${day}`} className={classes.problem}>
                {problem}
              </p>
            )}
          </Fragment>
        )
      })}
      {at.error && <p className={classes.problem}>{at.error}</p>}
    </fieldset>
  )
}
