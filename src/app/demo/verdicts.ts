import type { audit } from '#core/db/schema.ts'
import { notLead, type Tag, won } from '#domains/leads/labels.ts'
import type { mails } from '#domains/leads/mail/schema.ts'
import type { Agency, Contract } from './agency.ts'
import type { Lead } from './incoming-leads.ts'
import type { Dice } from './random.ts'
import { clientNote, company, staffNote } from './sample-text.ts'

/** What staff and clients then did with the leads: verified, tagged, noted, rated, reported sales, archived. */

type Trail = (typeof audit)['$inferInsert']
type Mail = (typeof mails)['$inferInsert']
export type Somebody = { id: number; username: string }
/** Who works on a campaign's leads: our staff, and the client's own account. */
export type Team = { staff: Somebody[]; customer: Somebody; recipients: string[] }
type Change = Partial<Lead>

const minute = 60_000
const day = 1440 * minute

/** Answers the trail and the mails of the leads, which it changes in place. */
export function lookAfter(dice: Dice, { contracts }: Agency, leads: Lead[], teams: Map<number, Team>, now: Date) {
  const byId = new Map(contracts.map((contract) => [contract.row.id, contract]))
  const trail: Trail[] = []
  const mail: Mail[] = []
  for (const lead of leads) {
    const contract = byId.get(lead.campaign_id!)!
    const team = teams.get(contract.row.id)!
    if (!lead.hide && !contract.client.row.disable_notifications) mail.push(notification(dice, lead, team, now))
    for (const step of steps(dice, lead, contract, team, now)) trail.push(take(lead, step))
  }
  trail.sort((a, b) => a.at!.getTime() - b.at!.getTime())
  return { trail, mail }
}

type Step = { who: Somebody | null; at: Date; change: Change }

function steps(dice: Dice, lead: Lead, contract: Contract, team: Team, now: Date): Step[] {
  const age = now.getTime() - lead.created_at.getTime()
  const later = (days: number) => new Date(lead.created_at.getTime() + Math.min(days * day, age) * dice.next())
  const found: Step[] = []
  const step = (who: Somebody | null, days: number, change: Change) =>
    Object.keys(change).length > 0 && found.push({ who, at: later(days), change })
  // The younger a lead, the likelier that nobody has come to it.
  if (lead.hide || !dice.chance(Math.min(0.97, 0.3 + age / (6 * day)))) return found
  const seen = verdict(dice, lead)
  step(dice.pick(team.staff), 2, seen)
  if (!seen.confirmed) return found
  if (dice.chance(0.12)) step(dice.pick(team.staff), 3, { notes: staffNote(dice) })
  if (dice.chance(0.2)) step(dice.chance(0.85) ? null : team.customer, 3, stars(dice))
  if (dice.chance(Math.min(0.45, age / (40 * day)))) step(team.customer, 14, sale(dice, contract))
  // What is long over, and what came to nothing, is out of the way.
  if (dice.chance(0.04) && age > 60 * day) step(team.customer, 90, { archived: true })
  else if (dice.chance(0.05) && age > 2 * day) step(team.customer, 6, { archived: true })
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())
}

function verdict(dice: Dice, { tags = [], lead_type, message }: Lead): Change {
  const more = (tag: Tag): Change => ({ tags: [...tags, tag] })
  const isOffer = message !== null && !message.includes('.') && lead_type === 'Form'
  const found = dice.weighted({ good: 78, Spam: isOffer ? 300 : 3, Duplicate: 3, 'Low Value': 3, Other: 2, issues: 2 })
  if (found === 'good') return { confirmed: true }
  if (found === 'Spam') return { ...more('Spam'), hide: dice.chance(0.6) }
  if (found !== 'issues') return more(found)
  if (tags.includes('Voicemail')) return more('Voicemail Issues')
  return more(lead_type === 'Call' ? 'Connection Issues' : 'Other')
}

function stars(dice: Dice): Change {
  const rating = Number(dice.weighted({ 5: 46, 4: 24, 3: 12, 2: 8, 1: 10 }))
  return { rating, rating_via: dice.weighted({ link: 60, page: 40 }) }
}

function sale(dice: Dice, { trade }: Contract): Change {
  const client_progress = Number(dice.weighted({ 1: 32, 2: 18, 3: 26, 4: 10, 5: 14 }))
  const change: Change = { client_progress }
  if (client_progress === won || (client_progress !== notLead && dice.chance(0.3)))
    change.client_value = Math.round(dice.skewed(trade.job, 0.7) / 5) * 5
  if (client_progress === won && dice.chance(0.6))
    change.client_profit = Math.round((change.client_value ?? 0) * (0.18 + dice.next() * 0.25))
  if (dice.chance(0.3)) change.client_notes = clientNote(dice)
  if (dice.chance(0.08)) change.company_name = company(dice)
  return change
}

/** Changes the lead and answers the trail's entry for it. */
function take(lead: Lead, { who, at, change }: Step): Trail {
  const before = Object.fromEntries(Object.keys(change).map((key) => [key, lead[key as keyof Lead]])) // keys of a Change
  if (who && change.rating_via) change.rating_via = 'staff'
  Object.assign(lead, change, { version: (lead.version ?? 1) + 1 })
  return {
    at,
    user_id: who?.id ?? null,
    username: who?.username ?? null,
    kind: 'lead',
    row_id: lead.id,
    action: 'changed',
    before: onTheWire(before),
    after: onTheWire(change),
    version: lead.version,
  }
}

/** The trail says what changed in the words of the wire: flags as 0 and 1, stars as text. */
const onTheWire = ({ rating_via: _, ...fields }: Change) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'boolean' ? Number(value) : key === 'rating' && value !== null ? String(value) : value,
    ]),
  )

/** Almost all were sent; a few addresses were refused, one delivery a year nobody is sure of. */
function notification(dice: Dice, { id, campaign_id, created_at }: Lead, { recipients }: Team, now: Date): Mail {
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
    handed_at: handed,
    sent_at: state === 'sent' ? handed : null,
  }
}
