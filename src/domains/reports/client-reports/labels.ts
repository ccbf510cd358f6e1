import { shortMonthNames } from '#contract/days.ts'
export const reportPeriods = ['week', 'month', 'cycle'] as const
export type ReportPeriod = (typeof reportPeriods)[number]
export const reportPeriodLabels: Record<ReportPeriod, string> = { week: 'Week', month: 'Month', cycle: 'Billing cycle' }

/** What the source of a lead without one is called, in lists and in counts. */
export const unknownSource = 'Other'

export const weekdayLabels = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export const reportMessages = {
  notFound: 'This report is not available',
  tooMany: 'Too many requests at once, please try again in a minute',
  unsubscribed: 'You will no longer get these reports by email.',
  testUnsubscribed: 'This was a test email, so nothing has changed: the client still gets the reports.',
}

const splitDay = (day: string) => day.split('-').map(Number) as [number, number, number]

/** Nov 9, 2026 */
export function formatReportDay(day: string): string {
  const [year, month, number] = splitDay(day)
  return `${shortMonthNames[month - 1]} ${number}, ${year}`
}

/** Nov 9, 2026; Nov 9 – 15, 2026; Oct 28 – Nov 3, 2026; Dec 28, 2026 – Jan 3, 2027. */
export function formatReportSpan({ from, to }: { from: string; to: string }): string {
  const [startYear, startMonth, startDay] = splitDay(from)
  const [endYear, endMonth, endDay] = splitDay(to)
  if (from === to) return formatReportDay(from)
  if (startYear !== endYear) return `${formatReportDay(from)} – ${formatReportDay(to)}`
  const start = `${shortMonthNames[startMonth - 1]} ${startDay}`
  return startMonth === endMonth
    ? `${start} – ${endDay}, ${endYear}`
    : `${start} – ${shortMonthNames[endMonth - 1]} ${endDay}, ${endYear}`
}

/** Says whose time the times are in, and the days too where those are another zone's. */
export const describeReportTimes = ({
  client,
  days_timezone_name,
}: {
  client: { timezone_name: string }
  days_timezone_name: string
}) =>
  client.timezone_name === days_timezone_name
    ? `Times are ${client.timezone_name}.`
    : `Times are ${client.timezone_name}; days begin at midnight ${days_timezone_name}.`

/** Jane Doe, Nov 9, 2026, 10:12 AM MST; only its number if the client no longer sees the lead. */
export function formatDisputedLead({
  lead,
  lead_id,
}: {
  lead: { name: string | null; when: string } | null
  lead_id: number
}) {
  if (!lead) return `Lead ${lead_id}`
  return lead.name === null ? lead.when : `${lead.name}, ${lead.when}`
}
