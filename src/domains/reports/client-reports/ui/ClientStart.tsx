import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatDaySpan, formatLongDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import { AgencyHead, getAgencyLook } from '#domains/agency/ui/public.ts'
import { disputeReasonTitles } from '#domains/billing/disputes/labels.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { PublicLoading } from '#ui/layout/PublicPage.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import documentTable from '#ui/table/document-table.module.css'
import text from '#ui/theme/text.module.css'
import {
  clientStartContract,
  type OpenLead,
  type OwnReport,
  type OwnStatement,
  type ReportNumbers,
} from '../contract.ts'
import { describeReportTimes, reportPeriodLabels } from '../labels.ts'
import { type FeedbackProps, LeadFeedback, useFeedback } from './LeadFeedback.tsx'
import classes from './Report.module.css'
import { ContactLinks, CountBar, DisputedLeads, MissedCalls, ReportTable, renderMoment } from './ReportView.tsx'

/** The client's start page: the numbers of this cycle as in its report, and the leads that need attention. */
export default function ClientStart({ username }: { username: string }) {
  const { data, error, refetch } = useApi(clientStartContract.read)
  const feedback = useFeedback()
  return (
    <ScreenFrame title={`Hello, ${data?.report.client.name ?? username}!`}>
      {error && !data && <QueryError what="Your numbers" error={error} retry={refetch} />}
      {!error && !data && <PublicLoading />}
      {data && (
        <article className={`${arrange.stackWide} ${documentTable.sheet}`} {...getAgencyLook(data.agency)}>
          <header className={classes.head}>
            <AgencyHead agency={data.agency} />
            <h2>This billing cycle</h2>
            <p className={text.quiet}>{describeReportTimes(data.report)}</p>
          </header>
          <p className={classes.says}>{data.report.says}</p>
          <CampaignProgress campaigns={data.report.campaigns} />
          <div className={arrange.stackWide} data-aligned>
            <MissedCalls report={data.report} link={renderLeadLink} />
            <LeadsTable title="Newest leads" leads={data.newest} {...feedback} />
            <LeadsTable title={`Not rated yet (${data.unrated.total})`} leads={data.unrated.leads} {...feedback} />
            <ReportTable
              title="You marked these Not a lead"
              heads={['When', 'Name', 'Reason', 'Campaign', 'Answer by']}
              rows={data.disputes.map((dispute) => [
                <Link key="lead" to="/lead/$id" params={{ id: String(dispute.id) }}>
                  {renderMoment(dispute.when)}
                </Link>,
                dispute.name,
                dispute.reason && disputeReasonTitles[dispute.reason],
                dispute.campaign,
                formatLongDay(dispute.answer_by),
              ])}
            />
          </div>
          <DisputedLeads report={data.report} />
          <StatementsTable statements={data.statements} />
          <ReportsTable reports={data.reports} />
          <div className={arrange.buttons} data-unprinted>
            <Button renderRoot={(props) => <Link to="/leads" {...props} />}>All leads</Button>
          </div>
        </article>
      )}
    </ScreenFrame>
  )
}

/** Each campaign with its own cycle, and how far it is to its target. */
const CampaignProgress = ({ campaigns }: { campaigns: ReportNumbers['campaigns'] }) => (
  <div className={classes.cycles}>
    <ReportTable
      title="Your campaigns"
      heads={['Campaign', 'Cycle', 'Verified', 'Target', 'Missed']}
      numbers={['Target', 'Missed']}
      rows={campaigns.map((one) => [
        one.name,
        formatDaySpan(one),
        <CountBar key="verified" count={one.verified} most={Math.max(one.target, one.verified, 1)} />,
        one.target > 0 ? one.target : null,
        one.missed,
      ])}
    />
  </div>
)

type LeadsTableProps = FeedbackProps & { title: string; leads: readonly OpenLead[] }

function LeadsTable({ title, leads, ...feedback }: LeadsTableProps) {
  return (
    <ReportTable
      title={title}
      heads={['When', 'Name', 'Phone', 'Campaign', 'Your rating', 'Lead']}
      rows={leads.map((lead) => [
        renderMoment(lead.when),
        lead.name,
        <ContactLinks key="phone" phone={lead.phone} email={null} />,
        lead.campaign,
        <LeadFeedback key="feedback" lead={lead} {...feedback} />,
        renderLeadLink(lead.id),
      ])}
    />
  )
}

const StatementsTable = ({ statements }: { statements: readonly OwnStatement[] }) => (
  <ReportTable
    title="Your statements"
    heads={['Statement', 'Campaign', 'Billing cycle', 'Total', 'State']}
    numbers={['Total']}
    rows={statements.map((statement) => {
      const name = statement.number ?? 'Statement'
      return [
        statement.key ? (
          <Link key="statement" to="/statement/$key" params={{ key: statement.key }}>
            {name}
          </Link>
        ) : (
          name
        ),
        statement.campaign,
        formatDaySpan(statement),
        formatMoney(statement.total),
        describePayment(statement),
      ]
    })}
  />
)

/** Paid Nov 9, 2026; Sent, due Nov 9, 2026. */
function describePayment({ paid_on, due_on }: OwnStatement) {
  if (paid_on) return `Paid ${formatLongDay(paid_on)}`
  return due_on ? `Sent, due ${formatLongDay(due_on)}` : 'Sent'
}

const ReportsTable = ({ reports }: { reports: readonly OwnReport[] }) => (
  <ReportTable
    title="Your reports"
    heads={['Report', 'Days', 'Made']}
    rows={reports.map((report) => [
      <Link key="report" to="/report/own/$id" params={{ id: String(report.id) }}>
        {reportPeriodLabels[report.period]}
      </Link>,
      formatDaySpan(report),
      formatLongDay(report.created_on),
    ])}
  />
)

const renderLeadLink = (id: number) => (
  <Link key="lead" to="/lead/$id" params={{ id: String(id) }}>
    Open
  </Link>
)
