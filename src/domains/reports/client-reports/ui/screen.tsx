import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AgencyHead, getAgencyLook } from '#domains/agency/ui/public.ts'
import { type ApiError, callApi } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { useVisit } from '#ui/data/useVisit.ts'
import arrange from '#ui/layout/arrange.module.css'
import { PublicLoading, PublicNotice } from '#ui/layout/PublicPage.tsx'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import text from '#ui/theme/text.module.css'
import { type ClientReport, clientReportsContract, clientStartContract, reportScheduleContract } from '../contract.ts'
import { describeReportTimes, formatReportSpan, reportMessages, reportPeriodLabels } from '../labels.ts'
import classes from './Report.module.css'
import { ReportView } from './ReportView.tsx'

/** The report of the key in the URL, without a sign-in. */
export default function ReportScreen() {
  const { key = '' } = useParams({ strict: false }) as { key?: string } // the route is /report/$key
  useDocumentTitle('Report')
  const { data: report, error } = useApi(clientReportsContract.read, { params: { key } }, { kept: true, quiet: true })
  useVisit(report !== undefined, () => void callApi(clientReportsContract.opened, { params: { key } }).catch(() => {}))
  return <ReportPage report={report} error={error} pdf={`/api/report/${encodeURIComponent(key)}.pdf`} />
}

/** A report of the client who is signed in, from their start page. */
export function OwnReportScreen() {
  const params = { id: Number((useParams({ strict: false }) as { id?: string }).id) } // the route is /report/own/$id
  useDocumentTitle('Report')
  const { data: report, error } = useApi(clientStartContract.report, { params }, { kept: true, quiet: true })
  useVisit(report !== undefined, () => void callApi(clientStartContract.reportOpened, { params }).catch(() => {}))
  if (error?.status === 401)
    return (
      <PublicNotice title="Please log in to read this report">
        <Button component="a" href="/">
          Log in
        </Button>
      </PublicNotice>
    )
  return <ReportPage report={report} error={error} />
}

type ReportPageProps = { report: ClientReport | undefined; error: ApiError | null; pdf?: string }

function ReportPage({ report, error, pdf }: ReportPageProps) {
  if (error)
    return (
      <PublicNotice title={error.status === 404 ? reportMessages.notFound : error.message}>
        <p>The link may have expired. Please ask the sender for a new one.</p>
      </PublicNotice>
    )
  if (!report) return <PublicLoading />
  return (
    <article className={`${arrange.stackWide} ${classes.page}`} {...getAgencyLook(report.agency)}>
      <header className={classes.head}>
        <AgencyHead agency={report.agency} />
        <h1>{report.client.name}</h1>
        <p className={text.quiet}>
          {reportPeriodLabels[report.period]}: {formatReportSpan(report)}. {describeReportTimes(report)}
        </p>
      </header>
      <div className={arrange.buttons} data-unprinted>
        {pdf && (
          <Button component="a" href={pdf} variant="default">
            PDF
          </Button>
        )}
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <ReportView report={report} />
    </article>
  )
}

/** The target of the link in a report email. It asks for confirmation, because programs open links too. */
export function UnsubscribeScreen() {
  const { key = '' } = useParams({ strict: false }) as { key?: string } // the route is /report-unsubscribe/$key
  useDocumentTitle('Unsubscribe')
  const [done, setDone] = useState<string | null>(null)
  const { run, running } = useAction(reportScheduleContract.unsubscribe, { quiet: true })
  async function confirm() {
    const outcome = await run({ params: { key } })
    if (outcome.done) setDone(outcome.answer.message)
  }
  return (
    <PublicNotice title={done ?? 'Stop getting these reports by email?'}>
      {done === null && (
        <Button loading={running} onClick={() => void confirm()}>
          Unsubscribe
        </Button>
      )}
    </PublicNotice>
  )
}
