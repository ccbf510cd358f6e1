import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import type { Campaign } from '#domains/campaigns/contract.ts'
import { scheduleSchema, type WorkingSchedule } from '#domains/campaigns/schedule.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { callApi } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import { type WorkingHours, workingHoursContract } from '../contract.ts'
import { ScheduleInput } from './ScheduleInput.tsx'
import { orderedWeekdays } from './weekdays.ts'

/** Reads the current hours, then opens their dialog. `text` replaces the icon. */
export function WorkingHoursButton({ campaign, text }: { campaign: Campaign; text?: string }) {
  const dialog = useReadDialog<WorkingHours>()
  const open = () => void dialog.read(() => callApi(workingHoursContract.read, { params: { id: campaign.id } }))
  return (
    <>
      {text ? (
        <Button variant="default" loading={dialog.isReading} onClick={open}>
          {text}
        </Button>
      ) : (
        <IconButton label="Working hours" icon={IconClock} loading={dialog.isReading} onClick={open} />
      )}
      {dialog.opened && dialog.subject && (
        <WorkingHoursDialog campaign={campaign} start={dialog.subject} onClose={dialog.close} />
      )}
    </>
  )
}

function WorkingHoursDialog({
  campaign,
  start,
  onClose,
}: {
  campaign: Campaign
  start: WorkingHours
  onClose: () => void
}) {
  const { data: zones = {} } = useApi(clientsContract.timezones, undefined, { kept: true })
  const choices = Object.entries({ [start.timezone]: start.timezone, ...zones }).map(([value, label]) => ({
    value,
    label,
  }))
  const shown = (name: string, value: unknown) =>
    name === 'timezone' ? (zones[String(value)] ?? String(value)) : formatSchedule(scheduleSchema.parse(value))
  return (
    <FormDialog
      title={`Working hours: ${campaign.name}`}
      call={workingHoursContract.save}
      params={{ id: campaign.id }}
      start={start}
      fields={({ selectControl, toggleControl }) => ({
        timezone: selectControl<string>('Timezone', choices),
        schedule: (at) => <ScheduleInput at={at} toggleControl={toggleControl} />,
        version: () => null,
      })}
      conflict={{ read: (now) => now, shown }}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

/** Formats the schedule on one line: Monday 10:00–19:00, Sunday off. */
function formatSchedule(schedule: WorkingSchedule): string {
  const days = orderedWeekdays.map(({ day, name }) => {
    const entry = schedule.find((one) => one.day === day)
    return entry?.enabled ? `${name} ${entry.startTime}–${entry.endTime}` : `${name} off`
  })
  return days.join(', ')
}
