import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AgencyHead, getAgencyLook } from '#domains/agency/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { PublicLoading } from '#ui/layout/PublicPage.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import text from '#ui/theme/text.module.css'
import { clientStartContract, type OpenLead } from '../contract.ts'
import { describeReportTimes, formatReportSpan } from '../labels.ts'
import classes from './Report.module.css'
import { ContactLinks, MissedCalls, ReportFigures, ReportTable } from './ReportView.tsx'

/** The client's start page: the numbers of this cycle as in its report, and the leads that need attention. */
export default function ClientStart({ username }: { username: string }) {
  const { data, error, refetch } = useApi(clientStartContract.read)
  return (
    <ScreenFrame title={`Hello, ${username}!`}>
      {error && !data && <QueryError what="Your numbers" error={error} retry={refetch} />}
      {!error && !data && <PublicLoading />}
      {data && (
        <article className={`${arrange.stackWide} ${classes.page}`} data-aligned {...getAgencyLook(data.agency)}>
          <header className={classes.head}>
            <AgencyHead agency={data.agency} />
            <h1>This billing cycle</h1>
            <p className={text.quiet}>
              {formatReportSpan(data.report)}. {describeReportTimes(data.report)}
            </p>
          </header>
          <ReportFigures report={data.report} />
          <MissedCalls report={data.report} link={renderLeadLink} />
          <LeadsTable title="Newest leads" leads={data.newest} />
          <LeadsTable title={`Not rated yet (${data.unrated.total})`} leads={data.unrated.leads} />
          <div className={arrange.buttons} data-unprinted>
            <Button renderRoot={(props) => <Link to="/leads" {...props} />}>All leads</Button>
          </div>
        </article>
      )}
    </ScreenFrame>
  )
}

function LeadsTable({ title, leads }: { title: string; leads: readonly OpenLead[] }) {
  return (
    <ReportTable
      title={title}
      heads={['When', 'Name', 'Phone', 'Campaign', 'Lead']}
      rows={leads.map((lead) => [
        lead.when,
        lead.name,
        <ContactLinks key="phone" phone={lead.phone} email={null} />,
        lead.campaign,
        renderLeadLink(lead.id),
      ])}
    />
  )
}

const renderLeadLink = (id: number) => (
  <Link key="lead" to="/lead/$id" params={{ id: String(id) }}>
    Open
  </Link>
)
