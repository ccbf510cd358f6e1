import { progressLabels } from '#domains/leads/labels.ts'

export const reportPeriods = ['week', 'month', 'cycle'] as const
export type ReportPeriod = (typeof reportPeriods)[number]
export const reportPeriodLabels: Record<ReportPeriod, string> = { week: 'Week', month: 'Month', cycle: 'Billing cycle' }
export const scheduleLabels: Record<ReportPeriod, string> = {
  week: 'Every week',
  month: 'Every month',
  cycle: 'Every billing cycle',
}

/** What is said of a schedule that reaches no one now. */
export const scheduleNotes = {
  noRecipients: 'no one: notifications are off, or no address is known',
  paused: 'paused while the client is switched off',
}

/** What the source of a lead without one is called, in lists and in counts. */
export const unknownSource = 'Other'

export const weekdayLabels = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export const reportMessages = {
  notFound: 'This report is not available',
  unsubscribeNotFound: 'This link ends no reports. To stop them, please reply to one.',
  unsubscribed: 'You will no longer get these reports by email.',
  testUnsubscribed: 'This was a test email, so nothing has changed: the client still gets the reports.',
}

/** Returns the call's length, such as 2:05, or what they asked; null if neither is known. */
export function formatAsked({
  type,
  duration,
  message,
}: {
  type: string
  duration: number | null
  message: string | null
}) {
  if (type !== 'Call' || duration === null) return message
  return `Call, ${Math.floor(duration / 60)}:${String(duration % 60).padStart(2, '0')} min`
}

/** Returns how far the client is with a lead; a verified one that they marked Not Lead is under review until the agency decides. */
export function formatReportedProgress({ progress, under_review }: { progress: number | null; under_review: boolean }) {
  if (under_review) return 'You marked this Not a lead'
  return progress === null ? null : progressLabels[progress as keyof typeof progressLabels] // 1 to 5
}

/** Groups leads by campaign, those under review apart and last. */
export function groupReportedLeads<Lead extends { campaign: string; under_review: boolean }>(leads: readonly Lead[]) {
  const [reviewed, rest] = [leads.filter((lead) => lead.under_review), leads.filter((lead) => !lead.under_review)]
  const isSingle = new Set(leads.map(({ campaign }) => campaign)).size === 1
  const groups = [...Map.groupBy(rest, ({ campaign }) => campaign)]
    .sort(([first], [second]) => first.localeCompare(second))
    .map(([campaign, own]) => ({ title: isSingle ? 'Leads' : `Leads of ${campaign}`, leads: own }))
  return reviewed.length > 0 ? [...groups, { title: `Under review (${reviewed.length})`, leads: reviewed }] : groups
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

type ReportSpan = { from: string; to: string }

/** Returns a moment without what the report's head says already, its year and its zone: Thu, Nov 26, 7:04 AM. */
export function shortenMoment(when: string, { from, to, client }: ReportSpan & { client: { timezone_name: string } }) {
  const year = from.slice(0, 4)
  const withoutZone = when.endsWith(` ${client.timezone_name}`) ? when.slice(0, -client.timezone_name.length - 1) : when
  return to.startsWith(year) ? withoutZone.replace(`, ${year},`, ',') : withoutZone
}

/** Whether each campaign has the report's own days, so that they need not be listed again. */
export const haveSameDays = ({ from, to, campaigns }: ReportSpan & { campaigns: readonly ReportSpan[] }) =>
  campaigns.every((one) => one.from === from && one.to === to)

/** Jane Doe, Nov 9, 2026, 10:12 AM MST; its number if the client no longer sees the lead. */
export function formatDisputedLead({
  lead,
  lead_id,
}: {
  lead: { name: string | null; when: string } | null
  lead_id: number
}) {
  if (!lead) return `A lead no longer in your list (No. ${lead_id})`
  return lead.name === null ? lead.when : `${lead.name}, ${lead.when}`
}
