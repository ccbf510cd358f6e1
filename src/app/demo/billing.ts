import { msPerDay } from '#contract/days.ts'
import type { disputesTable } from '#domains/billing/disputes/schema.ts'
import type { BillingTerms } from '#domains/billing/terms/contract.ts'
import { defaultDisputeDays } from '#domains/billing/terms/labels.ts'
import type { campaignTermsTable } from '#domains/billing/terms/schema.ts'
import { notLeadProgress } from '#domains/leads/labels.ts'
import type { DemoCampaign } from './agency.ts'
import type { DemoLead } from './incoming-leads.ts'
import { type AuditRow, applyStep, type CampaignTeam } from './verdicts.ts'

type DisputeRow = (typeof disputesTable)['$inferInsert'] & { id: number }
type TermsRow = (typeof campaignTermsTable)['$inferInsert']

/** Terms other than the flat service fee: every fourth campaign pays per lead, every seventh a fee that includes some. */
export function createTerms(contracts: readonly DemoCampaign[]): TermsRow[] {
  return contracts.flatMap(({ row }) => {
    const kind = row.id % 4 === 1 ? 'per_lead' : row.id % 7 === 3 ? 'flat_plus' : null
    if (!kind || !row.start_date) return []
    const common = { from: row.start_date, to: null, dispute_days: defaultDisputeDays }
    const terms: BillingTerms =
      kind === 'per_lead'
        ? { ...common, kind, fee: 0, prices: { Form: 45, Call: 62.5 }, included: 0, cap: null }
        : { ...common, kind, fee: 650, prices: { Form: 35, Call: 50 }, included: 8, cap: 2500 }
    return [{ campaign_id: row.id, terms: [terms], version: 1 }]
  })
}

const [disputeCount, openCount, answeredDays] = [30, 3, 2]

/**
 * Disputes the verified leads that their clients marked Not Lead last. All but the newest disputes are decided: changes the
 * accepted leads in place, and adds to their audit entries.
 */
export function createDisputes(
  leads: readonly DemoLead[],
  trail: AuditRow[],
  teams: Map<number, CampaignTeam>,
  now: Date,
): DisputeRow[] {
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  const steps = Map.groupBy(trail, ({ row_id }) => row_id)
  const disputed = trail.flatMap((entry) => {
    const lead = byId.get(Number(entry.row_id))
    if (!lead?.confirmed || !has(entry.after, 'client_progress', notLeadProgress)) return []
    const own = steps.get(entry.row_id)!
    const isVerified = own.some(({ at, after }) => has(after, 'confirmed', 1) && at! <= entry.at!)
    const isInTime = entry.at!.getTime() <= lead.occurred_at.getTime() + defaultDisputeDays * msPerDay
    return isVerified && isInTime ? [{ lead, opened_at: entry.at!, last: own.at(-1)!.at! }] : []
  })
  const recent = disputed.slice(-disputeCount)
  const disputes = recent.map(({ lead, opened_at, last }, index): DisputeRow => {
    const opened = {
      id: index + 1,
      lead_id: lead.id,
      campaign_id: lead.campaign_id!,
      via: 'portal' as const,
      opened_at,
    }
    const decided_at = new Date(opened_at.getTime() + answeredDays * msPerDay)
    if (index >= recent.length - openCount || decided_at > now || last > decided_at)
      return { ...opened, state: 'open', answer: null, decided_at: null, decided_by: null }
    const who = teams.get(lead.campaign_id!)!.staff[0]!
    const isAccepted = index % 3 === 0
    if (isAccepted) trail.push(applyStep(lead, { who, at: decided_at, change: { confirmed: false } }))
    return {
      ...opened,
      state: isAccepted ? 'accepted' : 'refused',
      answer: isAccepted ? acceptedAnswer : refusedAnswers[lead.lead_type],
      decided_at,
      decided_by: who.id,
    }
  })
  trail.sort((a, b) => a.at!.getTime() - b.at!.getTime())
  return disputes
}

const has = (values: unknown, key: string, value: number) => (values as Record<string, unknown>)[key] === value
const acceptedAnswer = 'You are right, this was not a job request. We have taken it off your statement.'
const refusedAnswers = {
  Call: 'This caller asked for a quote in your area, so the lead stays billed.',
  Form: 'The message asks for work in your area, so the lead stays billed.',
}
