import { formatDaySpan, formatLongDay } from '#contract/days.ts'
import { formatBriefMoney } from '#contract/money.ts'
import { formatPhone } from '#contract/read-phone.ts'
import type { PdfDocument, PdfTable } from '#core/pdf/tagged-pdf.ts'
import { disputeStateTitles } from '#domains/billing/disputes/labels.ts'
import { describeMasthead } from '#domains/documents/public.ts'
import type { ReportNumbers } from '../contract.ts'
import {
  describeReportTimes,
  formatAsked,
  formatDisputedLead,
  formatReportedProgress,
  groupReportedLeads,
  haveSameDays,
  reportPeriodLabels,
  shortenMoment,
} from '../labels.ts'

export type ReportPdfProps = ReportNumbers & { agency: { name: string; color: string } }

/** Returns a report as a document to be drawn. */
export function describeReportPdf(report: ReportPdfProps, logo: Uint8Array | null): PdfDocument {
  const { agency, client } = report
  const masthead = describeMasthead(agency, logo)
  const paragraph = (text: string) => ({ kind: 'paragraph' as const, text })
  return {
    title: `${client.name}: ${formatDaySpan(report)}`,
    author: agency.name,
    subject: 'Lead report',
    blocks: [
      masthead,
      { kind: 'heading', text: client.name },
      {
        kind: 'paragraph',
        text: `${reportPeriodLabels[report.period]}: ${formatDaySpan(report)}. ${describeReportTimes(report)}`,
        style: 'secondary',
      },
      { kind: 'paragraph', text: report.says, style: 'lead' },
      {
        kind: 'figures',
        figures: [
          ['Verified leads', String(report.verified)],
          ['Target', report.target > 0 ? String(report.target) : '–'],
          ['Missed calls', String(report.missed)],
          ['Won', String(report.won)],
          ['Won value', formatBriefMoney(report.won_value)],
        ],
      },
      ...(report.verified > report.leads.length
        ? [paragraph(`The list contains the first ${report.leads.length} of the verified leads.`)]
        : []),
      ...[...listShortTables(report, masthead.color), ...listLongTables(report)].map((table) => ({
        kind: 'table' as const,
        ...table,
      })),
    ],
  }
}

const listShortTables = (report: ReportNumbers, color: string): PdfTable[] => [
  {
    title: 'Campaigns',
    columns: [
      ['Campaign', 5],
      ...(haveSameDays(report) ? [] : [['Days', 4] as [string, number]]),
      ['Verified', 2, 'end'],
      ['Target', 2, 'end'],
      ['Missed', 2, 'end'],
    ],
    rows: report.campaigns.map((one) => [
      one.name,
      ...(haveSameDays(report) ? [] : [formatDaySpan(one)]),
      String(one.verified),
      one.target > 0 ? String(one.target) : '–',
      String(one.missed),
    ]),
  },
  {
    title: 'By week',
    columns: [
      ['Week', 4],
      ['Verified', 5],
      ['Missed', 1, 'end'],
    ],
    bars: { column: 1, color },
    rows: report.weeks.map((week) => [formatDaySpan(week), String(week.verified), String(week.missed)]),
  },
  {
    title: 'By source',
    columns: [
      ['Source', 4],
      ['Verified', 6],
    ],
    bars: { column: 1, color },
    rows: report.sources.map(({ source, verified }) => [source, String(verified)]),
  },
]

const listLongTables = (report: ReportNumbers): PdfTable[] => [
  {
    title: 'What was done',
    columns: [
      ['Day', 3, 'whole'],
      ['Campaign', 4],
      ['Note', 9],
    ],
    rows: report.done.map(({ date, campaign, note }) => [formatLongDay(date), campaign, note]),
  },
  {
    title: 'Missed calls in working hours',
    columns: [
      ['When', 6],
      ['Name', 4],
      ['Call back', 4],
      ['Campaign', 4],
    ],
    rows: report.missed_calls.map((call) => [
      shortenMoment(call.when, report),
      call.name ?? '–',
      call.phone ? formatPhone(call.phone) : '–',
      call.campaign,
    ]),
  },
  ...groupReportedLeads(report.leads).map(
    ({ title, leads }): PdfTable => ({
      title,
      columns: [
        ['When', 5],
        ['Name', 4],
        ['Contact', 5],
        ['Asked', 5],
        ['Progress', 3],
        ['Value', 2, 'end'],
      ],
      rows: leads.map((lead) => [
        shortenMoment(lead.when, report),
        lead.name ?? '–',
        [lead.phone && formatPhone(lead.phone), lead.email].filter(Boolean).join('\n') || '–',
        formatAsked(lead) ?? '–',
        formatReportedProgress(lead) ?? '–',
        lead.value === null ? '–' : formatBriefMoney(lead.value),
      ]),
    }),
  ),
  {
    title: 'Disputed leads',
    columns: [
      ['Lead', 6],
      ['Campaign', 4],
      ['Decided', 3, 'whole'],
      ['Decision', 3],
      ['Answer', 6],
    ],
    rows: report.disputes.map((dispute) => [
      formatDisputedLead(dispute),
      dispute.campaign,
      formatLongDay(dispute.decided_on),
      disputeStateTitles[dispute.state],
      dispute.answer,
    ]),
  },
]
