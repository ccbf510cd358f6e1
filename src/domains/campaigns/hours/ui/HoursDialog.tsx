import { IconClock } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Campaign } from '#domains/campaigns/contract.ts'
import { type Schedule, schedule as scheduleOf } from '#domains/campaigns/schedule.ts'
import { clients } from '#domains/clients/contract.ts'
import { ApiError, call } from '#ui/data/api.ts'
import { part } from '#ui/data/lazy-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import { sayFailure } from '#ui/feedback/toast.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type FieldControl, select } from '#ui/form/fields.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { RowButton } from '#ui/table/RowButton.tsx'
import { type WorkingHours as Hours, hours, newerHours } from '../contract.ts'
import { weekdays } from './weekdays.ts'

/** Reads the hours afresh, then opens their dialog. */
export function WorkingHours({ campaign }: { campaign: Campaign }) {
  const dialog = useDialog<Hours>()
  const [reading, setReading] = useState(false)

  async function open() {
    setReading(true)
    try {
      dialog.open(await call(hours.read, { params: { id: campaign.id } }))
    } catch (problem) {
      sayFailure(problem)
    } finally {
      setReading(false)
    }
  }
  return (
    <>
      <RowButton label="Working hours" icon={IconClock} busy={reading} onClick={() => void open()} />
      {dialog.opened && dialog.subject && (
        <HoursDialog campaign={campaign} start={dialog.subject} onClose={dialog.close} />
      )}
    </>
  )
}

// Its switches are as heavy as the rest of a form.
const ScheduleInput = part(() => import('./ScheduleInput.tsx'))
const schedule: FieldControl<Schedule> = (at) => (
  <Suspense>
    <ScheduleInput at={at} />
  </Suspense>
)

function HoursDialog({ campaign, start, onClose }: { campaign: Campaign; start: Hours; onClose: () => void }) {
  const { data: zones = {} } = useApi(clients.timezones, undefined, { kept: true })
  const choices = Object.entries({ [start.timezone]: start.timezone, ...zones }).map(([value, label]) => ({
    value,
    label,
  }))
  const shown = (name: string, value: unknown) =>
    name === 'timezone' ? (zones[String(value)] ?? String(value)) : inWords(scheduleOf.parse(value))
  return (
    <FormDialog
      title={`Working hours: ${campaign.name}`}
      call={hours.save}
      params={{ id: campaign.id }}
      start={start}
      fields={{ timezone: select<string>('Timezone', choices), schedule, version: () => null }}
      newer={{ read: newerForm, shown }}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

function newerForm(problem: unknown) {
  if (!(problem instanceof ApiError && problem.status === 409)) return undefined
  return newerHours.safeParse(problem.body).data?.hours
}

/** As a line for a glance: Monday 10:00–19:00, Sunday off. */
function inWords(schedule: Schedule): string {
  const days = weekdays.map(({ day, name }) => {
    const entry = schedule.find((one) => one.day === day)
    return entry?.enabled ? `${name} ${entry.startTime}–${entry.endTime}` : `${name} off`
  })
  return days.join(', ')
}
