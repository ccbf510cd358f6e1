import { scheduleSchema } from '#domains/campaigns/schedule.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type WorkingHours, workingHoursContract } from '../contract.ts'
import { ScheduleInput } from './ScheduleInput.tsx'
import { formatSchedule } from './weekdays.ts'

type WorkingHoursDialogProps = { campaign: { id: number; name: string }; start: WorkingHours; onClose: () => void }

/** The hours of a campaign, as they were read when the dialog was opened. */
export default function WorkingHoursDialog({ campaign, start, onClose }: WorkingHoursDialogProps) {
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
        timezone: selectControl<string>('Time zone', choices),
        schedule: (at) => <ScheduleInput at={at} toggleControl={toggleControl} />,
      })}
      conflict={{ read: (now) => now, shown }}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}
