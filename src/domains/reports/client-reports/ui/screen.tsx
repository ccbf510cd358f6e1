import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AgencyHead } from '#domains/agency/ui/public.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { type ClientReport, clientReportsContract, reportScheduleContract } from '../contract.ts'
import { describeReportTimes, formatReportSpan, reportMessages, reportPeriodLabels } from '../labels.ts'
import classes from './Report.module.css'
import { ReportView } from './ReportView.tsx'

/** The report of the key in the URL, without a sign-in. */
export default function ReportScreen() {
  const { key = '' } = useParams({ strict: false }) as { key?: string } // the route is /report/$key
  useDocumentTitle('Report')
  const { data: report, error } = useApi(clientReportsContract.read, { params: { key } }, { kept: true, quiet: true })
  if (error)
    return (
      <div className={classes.sorry}>
        <h1>{error.status === 404 ? reportMessages.notFound : error.message}</h1>
        <p>Its link may have expired. Please ask the sender for a new one.</p>
      </div>
    )
  if (!report) return <p role="status" className={classes.wait} aria-label="Loading" />
  return <ReportPage report={report} address={`/api/report/${encodeURIComponent(key)}.pdf`} />
}

function ReportPage({ report, address }: { report: ClientReport; address: string }) {
  return (
    <article className={classes.page}>
      <header className={classes.head}>
        <AgencyHead agency={report.agency} />
        <h1>{report.client.name}</h1>
        <p>
          {reportPeriodLabels[report.period]}: {formatReportSpan(report)}. {describeReportTimes(report)}
        </p>
      </header>
      <div className={arrange.buttons} data-unprinted>
        <Button component="a" href={address} variant="default">
          PDF
        </Button>
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
    <div className={classes.sorry}>
      <h1>{done ?? 'Stop getting these reports by email?'}</h1>
      {done === null && (
        <Button loading={running} onClick={() => void confirm()}>
          Unsubscribe
        </Button>
      )}
    </div>
  )
}
