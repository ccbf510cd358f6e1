import { cutText } from '#contract/cut-text.ts'
import type { CalendarDay } from '#contract/days.ts'
import { formatZonedTime, getZoneName } from '#contract/zoned-time.ts'
import { endOfZonedDay, toWallClock } from '#core/time/local-time.ts'
import type { DecidedDisputeState } from '#domains/billing/disputes/labels.ts'
import type { WorkingSchedule } from '#domains/campaigns/contract.ts'
import { roundTarget } from '#domains/campaigns/public.ts'
import { wonProgress } from '#domains/leads/labels.ts'
import { checkWorkingTime } from '#domains/leads/public.ts'
import { type DaySpan, splitIntoWeeks } from '../../weekly-report/weeks.ts'
import type { ReportedLead, ReportNumbers } from '../contract.ts'
import { type ReportPeriod, unknownSource } from '../labels.ts'
import { describeResults } from './results-sentence.ts'
import { joinSpans } from './span.ts'

/** A lead of the leads table: verified, or missed. */
export type ReportLead = {
  id: number
  campaign_id: number
  occurred_at: Date
  lead_type: ReportedLead['type']
  lead_name: string | null
  lead_phone: string | null
  lead_email: string | null
  lead_location: string | null
  source: string | null
  message: string | null
  duration: number | null
  confirmed: boolean
  client_progress: number | null
  client_value: number | null
  rating: number | null
}
/** The reported days of a campaign and what they are measured by: a report keeps them when the campaign changes. */
export type CampaignDays = DaySpan & {
  id: number
  /** Of a whole cycle. */
  target: number
  due_date: number
  /** The length of the cycle that holds the first day. */
  cycle_days: number
  start_date: CalendarDay | null
  archived: boolean
}
/** A campaign with its reported days. */
export type ReportCampaign = CampaignDays & {
  name: string
  schedule: WorkingSchedule
  timezone: string
}
export type ReportNote = { date: CalendarDay; campaign_id: number; note: string }
/** A decided dispute, with the part of the lead that the client may see. */
export type ReportDispute = {
  id: number
  lead_id: number
  campaign_id: number
  state: DecidedDisputeState
  answer: string
  decided_at: Date
  lead: { name: string | null; occurred_at: Date } | null
}

/** Everything that a report is computed from; the span counts only without campaigns. */
export type ReportFacts = DaySpan & {
  period: ReportPeriod
  client: { name: string; timezone: string }
  /** Days are in the agency's time zone, times in the client's. */
  agencyZone: string
  campaigns: readonly ReportCampaign[]
  /** In order of arrival. */
  leads: readonly ReportLead[]
  notes: readonly ReportNote[]
  /** In order of the decisions. */
  disputes: readonly ReportDispute[]
  /** Whether the client's Not Lead on this lead is open. */
  isUnderReview: (lead: { id: number; campaign_id: number }) => boolean
  /** Verified leads of the period before; null if no campaign had begun. */
  verifiedBefore: number | null
  today: CalendarDay
}

const maxListedLeads = 1000
const maxMessageLength = 300

/** Computes a client's results. The page, PDF, email and start page only display them. */
export function buildClientReport(facts: ReportFacts): ReportNumbers {
  const { client, period, agencyZone, notes } = facts
  const byId = new Map(facts.campaigns.map((campaign) => [campaign.id, campaign]))
  const dated = facts.leads
    .map((lead) => ({ lead, campaign: byId.get(lead.campaign_id), day: toWallClock(lead.occurred_at, agencyZone).day }))
    .filter(({ campaign, day }) => campaign && day >= campaign.from && day <= campaign.to)
  const verified = dated.filter(({ lead }) => lead.confirmed)
  const missed = dated.filter(({ lead }) => !lead.confirmed)
  const won = verified.filter(({ lead }) => lead.client_progress === wonProgress)
  const countOf = (list: typeof dated, isCounted: (one: (typeof dated)[number]) => boolean) =>
    list.filter(isCounted).length
  const within = (span: DaySpan) => (one: { day: CalendarDay }) => one.day >= span.from && one.day <= span.to
  // An archived campaign is left out, unless it has leads on its days.
  const shown = facts.campaigns.filter(
    (campaign) => !campaign.archived || dated.some((one) => one.campaign === campaign),
  )
  const { from, to } = shown.length > 0 ? joinSpans(shown) : facts
  const campaigns = shown.map((campaign) => ({
    name: campaign.name,
    from: campaign.from,
    to: campaign.to,
    verified: countOf(verified, (one) => one.campaign === campaign),
    missed: countOf(missed, (one) => one.campaign === campaign),
    target: computePeriodTarget(period, campaign),
  }))
  const results = {
    period,
    isRunning: to >= facts.today,
    verified: verified.length,
    verified_before: facts.verifiedBefore,
    under_review: countOf(verified, ({ lead }) => facts.isUnderReview(lead)),
    target: campaigns.reduce((sum, { target }) => sum + target, 0),
    won: won.length,
    won_value: sumAmounts(won.map(({ lead }) => lead.client_value)),
  }
  const { isRunning, ...counted } = results
  const when = (at: Date) => ({ at: at.toISOString(), when: formatZonedTime(at, client.timezone) })

  return {
    client: { ...client, timezone_name: getZoneName(endOfZonedDay(to, agencyZone), client.timezone) },
    from,
    to,
    says: describeResults(results),
    ...counted,
    days_timezone_name: getZoneName(endOfZonedDay(to, agencyZone), agencyZone),
    missed: missed.length,
    campaigns,
    weeks: splitIntoWeeks({ from, to }).map((week) => ({
      ...week,
      verified: countOf(verified, within(week)),
      missed: countOf(missed, within(week)),
    })),
    sources: [...Map.groupBy(verified, ({ lead }) => lead.source ?? unknownSource)]
      .map(([source, leads]) => ({ source, verified: leads.length }))
      .toSorted((a, b) => b.verified - a.verified || (a.source < b.source ? -1 : 1)),
    missed_calls: missed
      .filter(({ lead, campaign }) => checkWorkingTime(campaign!, lead.occurred_at).open)
      .map(({ lead, campaign }) => ({
        id: lead.id,
        ...when(lead.occurred_at),
        campaign: campaign!.name,
        name: lead.lead_name,
        phone: lead.lead_phone,
      }))
      .toReversed()
      .slice(0, maxListedLeads),
    leads: verified.slice(0, maxListedLeads).map(({ lead, campaign }) => ({
      id: lead.id,
      ...when(lead.occurred_at),
      campaign: campaign!.name,
      type: lead.lead_type,
      name: lead.lead_name,
      phone: lead.lead_phone,
      email: lead.lead_email,
      location: lead.lead_location,
      source: lead.source,
      progress: lead.client_progress,
      rating: lead.rating,
      value: lead.client_value,
      message: lead.message && cutText(lead.message, maxMessageLength),
      duration: lead.duration,
      under_review: facts.isUnderReview(lead),
    })),
    disputes: facts.disputes
      .map((dispute) => ({
        dispute,
        campaign: byId.get(dispute.campaign_id),
        day: toWallClock(dispute.decided_at, agencyZone).day,
      }))
      .filter(({ campaign, day }) => campaign && day >= campaign.from && day <= campaign.to)
      .map(({ dispute: { id, lead_id, state, answer, lead }, campaign, day }) => ({
        ...{ id, lead_id, state, answer },
        campaign: campaign!.name,
        lead: lead && { name: lead.name, ...when(lead.occurred_at) },
        decided_on: day,
      })),
    done: notes
      .filter(({ campaign_id }) => byId.has(campaign_id))
      .map(({ date, campaign_id, note }) => ({ date, campaign: byId.get(campaign_id)!.name, note })),
  }
}

/** A cycle's target applies to a month too; a week has its share of it. A campaign that begins later has none yet. */
function computePeriodTarget(period: ReportPeriod, { target, cycle_days, start_date, to }: ReportCampaign): number {
  if (start_date !== null && start_date > to) return 0
  return roundTarget(period === 'week' ? (target * 7) / cycle_days : target)
}

/** Sums whole cents, because tenths of dollars do not add up. */
const sumAmounts = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((cents, amount) => cents + Math.round((amount ?? 0) * 100), 0) / 100
