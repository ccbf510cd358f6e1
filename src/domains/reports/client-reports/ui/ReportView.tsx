import type { ReactNode } from 'react'
import { formatDaySpan, formatLongDay } from '#contract/days.ts'
import { formatBriefMoney } from '#contract/money.ts'
import { toTelUrl } from '#contract/read-phone.ts'
import { disputeStateTitles } from '#domains/billing/disputes/labels.ts'
import { wholeCell } from '#ui/cells/cells.tsx'
import { EmailLink } from '#ui/cells/EmailCell.tsx'
import { renderPhone } from '#ui/cells/PhoneCell.tsx'
import arrange from '#ui/layout/arrange.module.css'
import documentTable from '#ui/table/document-table.module.css'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import type { ReportNumbers } from '../contract.ts'
import {
  formatAsked,
  formatDisputedLead,
  formatReportedProgress,
  groupReportedLeads,
  haveSameDays,
  shortenMoment,
} from '../labels.ts'
import classes from './Report.module.css'

/** The figures of a report and its tables; tables without rows are left out. */
export function ReportView({ report }: { report: ReportNumbers }) {
  const isSameDays = haveSameDays(report)
  return (
    <>
      <p className={classes.says}>{report.says}</p>
      <ReportFigures report={report} />
      <ReportTable
        title="Campaigns"
        isCompact={isSameDays}
        heads={['Campaign', ...(isSameDays ? [] : ['Days']), 'Verified', 'Target', 'Missed']}
        numbers={['Verified', 'Target', 'Missed']}
        rows={report.campaigns.map((one) => [
          one.name,
          ...(isSameDays ? [] : [formatDaySpan(one)]),
          one.verified,
          one.target > 0 ? one.target : '–',
          one.missed,
        ])}
      />
      <div className={classes.pair}>
        <ReportTable
          title="By week"
          isCompact
          heads={['Week', 'Verified', 'Missed']}
          numbers={['Missed']}
          rows={report.weeks.map((week) => [
            formatDaySpan(week),
            <CountBar key="verified" count={week.verified} most={mostVerified(report.weeks)} />,
            week.missed,
          ])}
        />
        <ReportTable
          title="By source"
          isCompact
          heads={['Source', 'Verified']}
          rows={report.sources.map(({ source, verified }) => [
            source,
            <CountBar key="verified" count={verified} most={mostVerified(report.sources)} />,
          ])}
        />
      </div>
      <ReportTable
        title="What was done"
        heads={['Day', 'Campaign', 'Note']}
        rows={report.done.map(({ date, campaign, note }) => [formatLongDay(date), campaign, note])}
      />
      <MissedCalls report={report} />
      <div className={arrange.stackWide} data-aligned="contacts">
        {groupReportedLeads(report.leads).map(({ title, leads }) => (
          <ReportTable
            key={title}
            title={title}
            heads={['When', 'Name', 'Contact', 'Asked', 'Progress', 'Value']}
            numbers={['Value']}
            rows={leads.map((lead) => [
              renderMoment(shortenMoment(lead.when, report)),
              lead.name,
              <ContactLinks key="contact" phone={lead.phone} email={lead.email} />,
              formatAsked(lead),
              formatReportedProgress(lead),
              lead.value === null ? null : formatBriefMoney(lead.value),
            ])}
          />
        ))}
      </div>
      {report.verified > report.leads.length && (
        <p className={text.quiet}>The list contains the first {report.leads.length} of the verified leads.</p>
      )}
      <DisputedLeads report={report} />
    </>
  )
}

function ReportFigures({ report }: { report: ReportNumbers }) {
  const figures = [
    ['Verified leads', report.verified],
    ['Target', report.target > 0 ? report.target : '–'],
    ['Missed calls', report.missed],
    ['Won', report.won],
    ['Won value', formatBriefMoney(report.won_value)],
  ] as const
  return (
    <dl className={`${arrange.row} ${classes.figures}`}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt className={text.caption}>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const mostVerified = (rows: readonly { verified: number }[]) => Math.max(1, ...rows.map(({ verified }) => verified))

/** A count with a bar, whose length is its share of the highest count. */
export function CountBar({ count, most }: { count: number; most: number }) {
  return (
    <span className={classes.count}>
      <span>{count}</span>
      <span aria-hidden="true" className={classes.bar} style={{ width: `${(70 * count) / most}%` }} />
    </span>
  )
}

/** What the agency decided in the report's days about leads that the client marked Not Lead, with its answers. */
export const DisputedLeads = ({ report }: { report: ReportNumbers }) => (
  <ReportTable
    title="Disputed leads"
    heads={['Lead', 'Campaign', 'Decided', 'Decision', 'Answer']}
    rows={report.disputes.map((dispute) => [
      formatDisputedLead(dispute),
      dispute.campaign,
      formatLongDay(dispute.decided_on),
      disputeStateTitles[dispute.state],
      dispute.answer,
    ])}
  />
)

/** Missed calls in working hours, each with a number to call back and, for signed-in clients, a link to the lead. */
export function MissedCalls({ report, link }: { report: ReportNumbers; link?: (id: number) => ReactNode }) {
  return (
    <ReportTable
      title="Missed calls in working hours"
      heads={['When', 'Name', 'Call back', 'Campaign', ...(link ? ['Lead'] : [])]}
      rows={report.missed_calls.map((call) => [
        renderMoment(shortenMoment(call.when, report)),
        call.name,
        <ContactLinks key="phone" phone={call.phone} email={null} />,
        call.campaign,
        ...(link ? [link(call.id)] : []),
      ])}
    />
  )
}

/** Shows `Thu, Nov 26, 2026, 7:04 AM CST`, on two lines where there is no room for one: the time is not broken. */
export function renderMoment(when: string): ReactNode {
  const at = when.lastIndexOf(', ') + 1
  return (
    <span key="moment">
      {when.slice(0, at)} {wholeCell(when.slice(at).trim())}
    </span>
  )
}

export function ContactLinks({ phone, email }: { phone: string | null; email: string | null }) {
  if (!phone && !email) return noValue
  const dial = toTelUrl(phone)
  return (
    <span>
      {phone && (dial ? <a href={dial}>{renderPhone(phone)}</a> : renderPhone(phone))}
      {phone && email && <br />}
      {email && <EmailLink email={email} />}
    </span>
  )
}

const noValue = '–'

type ReportTableProps = {
  title: string
  heads: readonly string[]
  /** The heads whose columns are aligned as numbers. */
  numbers?: readonly string[]
  /** Fits a phone as it is. */
  isCompact?: boolean
  rows: readonly (readonly ReactNode[])[]
}

/** On phones each row is a card with its labels, unless the table is compact; in print the head is repeated on every page. */
export function ReportTable({ title, heads, numbers = [], isCompact = false, rows }: ReportTableProps) {
  if (rows.length === 0) return null
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <PlainTable
        className={`${documentTable.table} ${classes.table} ${isCompact ? '' : classes.cards}`}
        columns={heads.map((title, index) => ({
          title,
          align: numbers.includes(title) ? 'end' : undefined,
          cell: (row: readonly ReactNode[]) => row[index] ?? noValue,
        }))}
        rows={rows}
        rowKey={(_, index) => index}
      />
    </section>
  )
}
