import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { formatDaySpan } from '#contract/days.ts'
import { CopyButton } from '#ui/cells/cells.tsx'
import { getToday } from '#ui/cells/days.ts'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { useUnsavedDialog } from '#ui/form/useUnsavedGuard.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { ViewTabs } from '#ui/layout/Tabs.tsx'
import text from '#ui/theme/text.module.css'
import { clientReportsContract, newReportSchema, type ReportRow } from '../contract.ts'
import { type ReportPeriod, reportPeriodLabels, reportPeriods } from '../labels.ts'
import classes from './Report.module.css'
import { ReportTable } from './ReportView.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'

type ReportsDialogProps = { client: { id: number; name: string }; opened: boolean; onClose: () => void }

const periodChoices = reportPeriods.map((value) => ({ value, label: reportPeriodLabels[value] }))

/** A client's reports: pages with a link, and reports by email. */
export default function ReportsDialog({ client, opened, onClose }: ReportsDialogProps) {
  const [part, setPart] = useState<'links' | 'schedule'>('links')
  const [isRead, setRead] = useState(false)
  const unsaved = useRef(0)
  const close = useUnsavedDialog({ isUnsaved: () => unsaved.current > 0, opened, onClose })
  return (
    <ModalDialog opened={opened} onClose={close} title={`Reports: ${client.name}`} size="xl">
      <ViewTabs
        label="Reports"
        tabs={[
          { value: 'links', label: 'Links' },
          { value: 'schedule', label: 'By email' },
        ]}
        chosen={part}
        choose={(next) => {
          setPart(next)
          if (next === 'schedule') setRead(true)
        }}
      >
        {/* Both stay: a link is shown only once, and a schedule may be chosen and not saved. */}
        <ReportLinks clientId={client.id} isShown={part === 'links'} />
        {isRead && <ScheduleForm clientId={client.id} isShown={part === 'schedule'} unsaved={unsaved} />}
      </ViewTabs>
    </ModalDialog>
  )
}

function ReportLinks({ clientId, isShown }: { clientId: number; isShown: boolean }) {
  const [period, setPeriod] = useState<ReportPeriod>('month')
  const [from, setFrom] = useState(getToday(appConfig.timezone))
  const [made, setMade] = useState<{ url: string; key: string }>()
  const [problem, setProblem] = useState<string>()
  const problemId = useId()
  const { run, running } = useAction(clientReportsContract.create)
  const list = useApi(clientReportsContract.list, { params: { id: clientId } })
  async function create(event: FormEvent) {
    event.preventDefault()
    const checked = newReportSchema.safeParse({ period, from })
    setProblem(checked.error?.issues[0]?.message)
    if (!checked.success) return
    const outcome = await run({ params: { id: clientId }, body: checked.data })
    if (outcome.done) setMade(outcome.answer)
  }
  if (!isShown) return null
  return (
    <>
      <form className={classes.form} noValidate onSubmit={(event) => void create(event)}>
        <NativeSelect
          label="Period"
          data={periodChoices}
          value={period}
          onChange={(event) => setPeriod(event.currentTarget.value as ReportPeriod)} // the choices are periods
        />
        <TextInput
          label="Containing the day"
          type="date"
          value={from}
          error={problem !== undefined}
          aria-describedby={problem && problemId}
          onChange={(event) => {
            setFrom(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" loading={running}>
          Create report
        </Button>
      </form>
      {problem && (
        <p id={problemId} className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {made && (
        <div className={classes.link} role="status">
          <a href={made.url} target="_blank" rel="noreferrer">
            {made.url}
          </a>
          <CopyButton value={made.url} what="link" />
          <a href={`/api/report/${made.key}.pdf`} target="_blank" rel="noreferrer">
            PDF
          </a>
          <span>The link is only shown now. It works for 90 days.</span>
        </div>
      )}
      {list.error && !list.data && <QueryError what="The reports" error={list.error} retry={list.refetch} />}
      {list.data?.data.length === 0 && <p className={text.quiet}>List is empty</p>}
      <ReportTable
        title="Reports"
        heads={['Period', 'Created', 'Open until', 'Revoke']}
        rows={(list.data?.data ?? []).map((report) => [
          `${reportPeriodLabels[report.period]}, ${formatDaySpan(report)}`,
          `${formatInstantDay(report.created_at)} ${report.created_by ? `by ${report.created_by}` : 'by schedule'}`,
          report.revoked_at ? 'Revoked' : formatInstantDay(report.expires_at),
          <RevokeButton key="revoke" report={report} />,
        ])}
      />
    </>
  )
}

function RevokeButton({ report }: { report: ReportRow }) {
  if (report.revoked_at) return null
  return (
    <ActionButton
      call={clientReportsContract.revoke}
      input={{ params: { id: report.id } }}
      label={`Revoke ${formatDaySpan(report)}`}
      icon={IconTrash}
      details={[formatDaySpan(report)]}
    />
  )
}
