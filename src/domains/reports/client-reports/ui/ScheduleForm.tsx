import { Button, NativeSelect, Switch } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { formatZonedTime, getZoneName } from '#contract/zoned-time.ts'
import { ApiError, callApi } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { useUnsavedCount } from '#ui/form/useUnsavedGuard.ts'
import { PublicLoading } from '#ui/layout/PublicPage.tsx'
import text from '#ui/theme/text.module.css'
import { type ReportScheduleRow, reportScheduleContract } from '../contract.ts'
import { type ReportPeriod, reportPeriods, scheduleLabels, scheduleNotes, weekdayLabels } from '../labels.ts'
import classes from './Report.module.css'

const everyChoices = [
  { value: '', label: 'Never' },
  ...reportPeriods.map((value) => ({ value, label: scheduleLabels[value] })),
]
const hourChoices = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`,
}))
const weekdayChoices = weekdayLabels.map((label, day) => ({ value: String(day), label }))
const monthDayChoices = Array.from({ length: 31 }, (_, index) => ({
  value: String(index + 1),
  label: String(index + 1),
}))

type ScheduleFormProps = { clientId: number; isShown: boolean; unsaved: RefObject<number> }

/** The client's schedule of reports. */
export function ScheduleForm({ clientId, isShown, unsaved }: ScheduleFormProps) {
  const { data, error, refetch, isFetching } = useApi(reportScheduleContract.read, { params: { id: clientId } })
  if (data) return <ScheduleFields {...{ clientId, isShown, unsaved }} stored={data} isReading={isFetching} />
  if (!isShown) return null
  return error ? <QueryError what="The schedule" error={error} retry={refetch} /> : <PublicLoading />
}

type ScheduleFieldsProps = ScheduleFormProps & { stored: ReportScheduleRow; isReading: boolean }

function ScheduleFields({ clientId, stored, isReading, isShown, unsaved }: ScheduleFieldsProps) {
  // Only what was chosen: what is read again in between does not undo it.
  const [chosen, setChosen] = useState<Partial<ReportScheduleRow>>({})
  const [preview, setPreview] = useState<{ subject: string; text: string }>()
  const params = { id: clientId }
  const save = useAction(reportScheduleContract.update)
  const test = useAction(reportScheduleContract.test, { success: ({ message }) => message })
  const draft = { ...stored, ...chosen }
  const { every, day, hour, skip_empty, version } = draft
  function set(change: Partial<ReportScheduleRow>) {
    setChosen((before) => ({ ...before, ...change }))
    setPreview(undefined)
  }
  const [sent, setSent] = useState<ReportScheduleRow>()
  const isSame = (other: ReportScheduleRow) =>
    (['every', 'day', 'hour', 'skip_empty'] as const).every((name) => draft[name] === other[name])
  const isSaved = isSame(stored)
  const isOnItsWay = (save.running || isReading) && sent !== undefined && isSame(sent)
  useUnsavedCount(unsaved, !isSaved && !isOnItsWay)
  const canShow = stored.every !== null && isSaved

  async function saveSchedule() {
    setSent(draft)
    const saved = await save.run({ params, body: { every, day, hour, skip_empty, version } })
    // Someone else was first, maybe the client with Unsubscribe: the form shows theirs.
    if (!saved.done && saved.problem instanceof ApiError && saved.problem.status === 409) setChosen({})
  }

  async function showPreview() {
    try {
      setPreview((await callApi(reportScheduleContract.preview, { params })).email)
    } catch (problem) {
      toastError(problem)
    }
  }

  if (!isShown) return null
  return (
    <>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void saveSchedule()
        }}
      >
        <NativeSelect
          label="Send"
          data={everyChoices}
          value={every ?? ''}
          // The choices are periods; a new period starts with its first day.
          onChange={(event) => set({ every: (event.currentTarget.value || null) as ReportPeriod | null, day: 1 })}
        />
        {every !== null && (
          <>
            <NativeSelect
              label={every === 'cycle' ? 'Day of the cycle' : every === 'month' ? 'Day of the month' : 'Day'}
              data={every === 'week' ? weekdayChoices : monthDayChoices}
              value={String(day)}
              onChange={(event) => set({ day: Number(event.currentTarget.value) })}
            />
            <NativeSelect
              label={`Time (${getZoneName(new Date(), stored.timezone)})`}
              data={hourChoices}
              value={String(hour)}
              onChange={(event) => set({ hour: Number(event.currentTarget.value) })}
            />
            <Switch
              label="Skip when empty"
              checked={skip_empty === 1}
              onChange={(event) => set({ skip_empty: event.currentTarget.checked ? 1 : 0 })}
            />
          </>
        )}
        {/* Until the version that a save made is read, another save would be refused. */}
        <Button type="submit" loading={save.running || isReading} disabled={isSaved}>
          Save
        </Button>
      </form>
      {canShow && (
        <p className={text.quiet}>
          Next:{' '}
          {stored.next_at
            ? `${formatZonedTime(new Date(stored.next_at), stored.timezone)}, to ${stored.recipients.join(', ') || scheduleNotes.noRecipients}`
            : scheduleNotes.paused}
          .
        </p>
      )}
      {canShow && (
        <div className={classes.link}>
          <Button variant="default" onClick={() => void showPreview()}>
            Preview
          </Button>
          <Button variant="default" loading={test.running} onClick={() => void test.run({ params })}>
            Send me a test
          </Button>
        </div>
      )}
      {preview && (
        <section className={classes.preview} aria-label="Preview">
          <b>{preview.subject}</b>
          <pre>{preview.text}</pre>
        </section>
      )}
    </>
  )
}
