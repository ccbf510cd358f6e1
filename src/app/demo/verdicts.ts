import { msPerDay } from '#contract/days.ts'
import type { auditTable } from '#core/db/schema.ts'
import type { disputesTable } from '#domains/billing/disputes/schema.ts'
import { defaultDisputeDays } from '#domains/campaigns/terms/labels.ts'
import { type LeadTag, notLeadProgress, wonProgress } from '#domains/leads/labels.ts'
import type { mailsTable } from '#domains/leads/mail/schema.ts'
import type { DemoAgency, DemoCampaign } from './agency.ts'
import type { DemoLead } from './incoming-leads.ts'
import type { SeededRandom } from './random.ts'
import { pickClientNote, pickCompany, pickStaffNote } from './sample-text.ts'
import { isLeftUnjudged } from './stories.ts'

/** Edits by staff and clients: verified, tagged, noted, rated, reported sales, archived. */

type AuditRow = (typeof auditTable)['$inferInsert']
type DemoMailRow = (typeof mailsTable)['$inferInsert']
type DisputeRow = (typeof disputesTable)['$inferInsert'] & { id: number }
type UserRef = { id: number; username: string }
/** The people who work on a campaign's leads: staff, and the client's own account. */
export type CampaignTeam = { staff: UserRef[]; customer: UserRef; recipients: string[] }
type DemoLeadChange = Partial<DemoLead>

/** Changes the leads in place, and returns their audit entries and mails. */
export function simulateLeadHandling(
  dice: SeededRandom,
  { contracts }: DemoAgency,
  leads: DemoLead[],
  teams: Map<number, CampaignTeam>,
  now: Date,
) {
  const byId = new Map(contracts.map((contract) => [contract.row.id, contract]))
  const auditRows: AuditRow[] = []
  const mail: DemoMailRow[] = []
  for (const lead of leads) {
    const contract = byId.get(lead.campaign_id!)!
    const team = teams.get(contract.row.id)!
    if (!lead.hide && !contract.client.row.disable_notifications) mail.push(createNotification(dice, lead, team, now))
    for (const step of planSteps(dice, lead, contract, team, now)) auditRows.push(applyStep(lead, step))
  }
  auditRows.sort((a, b) => a.at!.getTime() - b.at!.getTime())
  return { auditRows, mail }
}

type HandlingStep = { who: UserRef | null; at: Date; change: DemoLeadChange }

function planSteps(
  dice: SeededRandom,
  lead: DemoLead,
  contract: DemoCampaign,
  team: CampaignTeam,
  now: Date,
): HandlingStep[] {
  const age = now.getTime() - lead.created_at.getTime()
  const later = (days: number) => new Date(lead.created_at.getTime() + Math.min(days * msPerDay, age) * dice.next())
  const found: HandlingStep[] = []
  const step = (who: UserRef | null, days: number, change: DemoLeadChange) =>
    Object.keys(change).length > 0 && found.push({ who, at: later(days), change })
  // The newer a lead, the more likely that no one has judged it.
  if (lead.hide || !dice.chance(Math.min(0.97, 0.3 + age / (6 * msPerDay)))) return found
  if (isLeftUnjudged(contract, lead.created_at)) return found
  const seen = createVerdict(dice, lead)
  // One in four waits longer: for a recording, or for someone who is away.
  step(dice.pick(team.staff), lead.id % 4 === 0 ? 12 : 2, seen)
  if (!seen.confirmed) return found
  if (dice.chance(0.12)) step(dice.pick(team.staff), 3, { notes: pickStaffNote(dice) })
  if (dice.chance(0.2)) step(dice.chance(0.85) ? null : team.customer, 3, createRating(dice))
  if (dice.chance(Math.min(0.45, age / (40 * msPerDay)))) step(team.customer, 14, createSale(dice, contract))
  // Old leads, and those without a sale, are archived.
  if (dice.chance(0.04) && age > 60 * msPerDay) step(team.customer, 90, { archived: true })
  else if (dice.chance(0.05) && age > 2 * msPerDay) step(team.customer, 6, { archived: true })
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())
}

function createVerdict(dice: SeededRandom, { tags = [], lead_type, message }: DemoLead): DemoLeadChange {
  const more = (tag: LeadTag): DemoLeadChange => ({ tags: [...tags, tag] })
  const isOffer = message !== null && !message.includes('.') && lead_type === 'Form'
  const found = dice.weighted({ good: 78, Spam: isOffer ? 300 : 3, Duplicate: 3, 'Low Value': 3, Other: 2, issues: 2 })
  if (found === 'good') return { confirmed: true }
  if (found === 'Spam') return { ...more('Spam'), hide: dice.chance(0.6) }
  if (found !== 'issues') return more(found)
  if (tags.includes('Voicemail')) return more('Voicemail Issues')
  return more(lead_type === 'Call' ? 'Connection Issues' : 'Other')
}

function createRating(dice: SeededRandom): DemoLeadChange {
  const rating = Number(dice.weighted({ 5: 46, 4: 24, 3: 12, 2: 8, 1: 10 }))
  return { rating, rating_via: dice.weighted({ link: 60, page: 40 }) }
}

function createSale(dice: SeededRandom, { trade }: DemoCampaign): DemoLeadChange {
  const client_progress = Number(dice.weighted({ 1: 32, 2: 18, 3: 26, 4: 10, 5: 14 }))
  const change: DemoLeadChange = { client_progress }
  if (client_progress === wonProgress || (client_progress !== notLeadProgress && dice.chance(0.3)))
    change.client_value = Math.round(dice.skewed(trade.job, 0.7) / 5) * 5
  if (client_progress === wonProgress && dice.chance(0.6))
    change.client_profit = Math.round((change.client_value ?? 0) * (0.18 + dice.next() * 0.25))
  if (dice.chance(0.3)) change.client_notes = pickClientNote(dice)
  if (dice.chance(0.08)) change.company_name = pickCompany(dice)
  return change
}

/** Changes the lead and returns its audit entry. */
function applyStep(lead: DemoLead, { who, at, change }: HandlingStep): AuditRow {
  const before = Object.fromEntries(Object.keys(change).map((key) => [key, lead[key as keyof DemoLead]])) // keys of a Change
  if (who && change.rating_via) change.rating_via = 'staff'
  Object.assign(lead, change, { version: (lead.version ?? 1) + 1 })
  return {
    at,
    user_id: who?.id ?? null,
    username: who?.username ?? null,
    kind: 'lead',
    row_id: lead.id,
    action: 'changed',
    before: toWireFields(before),
    after: toWireFields(change),
    version: lead.version,
  }
}

/** The audit log has values as the API does: flags as 0 and 1, stars as text. */
const toWireFields = ({ rating_via: _, ...fields }: DemoLeadChange) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'boolean' ? Number(value) : key === 'rating' && value !== null ? String(value) : value,
    ]),
  )

/** Almost all mails were sent; a few addresses were refused, and about one delivery a year is uncertain. */
function createNotification(
  dice: SeededRandom,
  { id, campaign_id, created_at }: DemoLead,
  { recipients }: CampaignTeam,
  now: Date,
): DemoMailRow {
  const state = dice.weighted({ sent: 2000, refused: 6, uncertain: 1 })
  const handed = new Date(Math.min(created_at.getTime() + dice.int(1, 6) * 1000, now.getTime()))
  return {
    lead_id: id,
    campaign_id: campaign_id!,
    kind: 'notification',
    recipients,
    state,
    error: state === 'refused' ? '550 5.1.1 The mailbox does not exist' : null,
    created_at,
    sending_at: handed,
    sent_at: state === 'sent' ? handed : null,
  }
}

const [disputeCount, openCount, answeredDays] = [30, 3, 2]

/**
 * Disputes the verified leads that their clients marked Not Lead last. All but the newest disputes are decided: changes the
 * accepted leads in place, and adds to their audit entries.
 */
export function createDisputes(
  leads: readonly DemoLead[],
  auditRows: AuditRow[],
  teams: Map<number, CampaignTeam>,
  now: Date,
): DisputeRow[] {
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  const steps = Map.groupBy(auditRows, ({ row_id }) => row_id)
  const disputed = auditRows.flatMap((entry) => {
    const lead = byId.get(Number(entry.row_id))
    if (!lead?.confirmed || !hasValue(entry.after, 'client_progress', notLeadProgress)) return []
    const own = steps.get(entry.row_id)!
    const isVerified = own.some(({ at, after }) => hasValue(after, 'confirmed', 1) && at! <= entry.at!)
    const isInTime = entry.at!.getTime() <= lead.occurred_at.getTime() + defaultDisputeDays * msPerDay
    // A lead that its client was happy with is not disputed.
    const isPlausible = Number(lead.rating ?? 1) <= 2 && !lead.client_notes
    return isVerified && isInTime && isPlausible ? [{ lead, opened_at: entry.at!, last: own.at(-1)!.at! }] : []
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
    if (isAccepted) auditRows.push(applyStep(lead, { who, at: decided_at, change: { confirmed: false } }))
    return {
      ...opened,
      state: isAccepted ? 'accepted' : 'refused',
      answer: isAccepted ? acceptedAnswer : refusedAnswers[lead.lead_type],
      decided_at,
      decided_by: who.id,
    }
  })
  auditRows.sort((a, b) => a.at!.getTime() - b.at!.getTime())
  return disputes
}

const hasValue = (values: unknown, key: string, value: number) => (values as Record<string, unknown>)[key] === value
const acceptedAnswer = 'You are right, this was not a job request. We have taken it off your statement.'
const refusedAnswers = {
  Call: 'This caller asked for a quote in your area, so the lead stays billed.',
  Form: 'The message asks for work in your area, so the lead stays billed.',
}
