import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatDaySpan } from '#contract/days.ts'
import { AgencyHead, AgencyNotice, getAgencyLook } from '#domains/agency/ui/public.ts'
import { DocumentLink, DocumentPage } from '#domains/documents/ui/public.ts'
import { ApiError, callApi } from '#ui/data/api.ts'
import { useLinkKey } from '#ui/data/link-key.ts'
import { getLoginPath } from '#ui/data/login-path.ts'
import { keepPlace } from '#ui/data/return-place.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ExportButton } from '#ui/layout/ExportButton.tsx'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import documentTable from '#ui/table/document-table.module.css'
import text from '#ui/theme/text.module.css'
import { type ClientReport, clientReportsContract, clientStartContract, reportScheduleContract } from '../contract.ts'
import { describeReportTimes, reportMessages, reportPeriodLabels } from '../labels.ts'
import classes from './Report.module.css'
import { ReportView } from './ReportView.tsx'

/** The report of the key in the URL, without a sign-in. */
export default function ReportScreen() {
  const key = useLinkKey()
  const params = { key }
  const { data: report, error } = useApi(clientReportsContract.read, { params }, { kept: true, quiet: true })
  return (
    <ReportPage
      report={report}
      error={error}
      onVisit={() => callApi(clientReportsContract.opened, { params })}
      pdf={<DocumentLink href={`/api/report/${encodeURIComponent(key)}.pdf`} />}
    />
  )
}

/** A report of the client who is signed in, from their start page. */
export function OwnReportScreen() {
  const params = { id: Number((useParams({ strict: false }) as { id?: string }).id) } // the route is /report/own/$id
  const { data: report, error } = useApi(clientStartContract.report, { params }, { kept: true, quiet: true })
  if (error?.status === 401)
    return (
      <AgencyNotice title="Please log in to read this report">
        <Button component={Link} to={getLoginPath()} onClick={() => keepPlace(`/report/own/${params.id}`, null)}>
          Log in
        </Button>
      </AgencyNotice>
    )
  return (
    <ReportPage
      report={report}
      error={error}
      onVisit={() => callApi(clientStartContract.reportOpened, { params })}
      // A link would not send the session.
      pdf={<ExportButton call={clientStartContract.reportPdf} input={{ params }} label="PDF" />}
    />
  )
}

type ReportPageProps = {
  report: ClientReport | undefined
  error: ApiError | null
  onVisit: () => Promise<unknown>
  pdf: ReactNode
}

const ReportPage = ({ report, error, onVisit, pdf }: ReportPageProps) => (
  <DocumentPage
    title="Report"
    data={report}
    error={error}
    notFound={reportMessages.notFound}
    onVisit={onVisit}
    pdf={pdf}
  >
    {(report, buttons) => (
      <article className={`${arrange.stackWide} ${documentTable.sheet}`} {...getAgencyLook(report.agency)}>
        <header className={classes.head}>
          <AgencyHead agency={report.agency} />
          <h1>{report.client.name}</h1>
          <p className={text.quiet}>
            {reportPeriodLabels[report.period]}: {formatDaySpan(report)}. {describeReportTimes(report)}
          </p>
        </header>
        <div className={arrange.buttons} data-unprinted>
          {buttons}
        </div>
        <ReportView report={report} />
      </article>
    )}
  </DocumentPage>
)

/** The target of the link in a report email. It asks for confirmation, because programs open links too. */
export function UnsubscribeScreen() {
  const key = useLinkKey()
  useDocumentTitle('Unsubscribe')
  const [done, setDone] = useState<string | null>(null)
  const { run, running } = useAction(reportScheduleContract.unsubscribe, {
    quiet: true,
    onFailure: (problem) => {
      if (problem instanceof ApiError && problem.status === 404) setDone(problem.message)
      else toastError(problem)
    },
  })
  async function confirm() {
    const outcome = await run({ params: { key } })
    if (outcome.done) setDone(outcome.answer.message)
  }
  return (
    <AgencyNotice title={done ?? 'Stop getting these reports by email?'}>
      {done === null && (
        <Button loading={running} onClick={() => void confirm()}>
          Unsubscribe
        </Button>
      )}
    </AgencyNotice>
  )
}
