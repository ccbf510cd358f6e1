import { createHash } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { findKnownLeads, lockProviderIds, providerIdKey } from '#domains/leads/model/provider-ids.ts'
import { inboundEventsTable, type StoredEvent } from '../schema.ts'
import type { IncomingLead } from './incoming-lead.ts'
import { type ParsedEvent, toLeadNumber } from './parsed-event.ts'
import { readManualFields } from './update-known-lead.ts'

type Contact = Pick<IncomingLead, 'lead_name' | 'lead_phone' | 'lead_email'>

/**
 * Gives an event an id of its own where another person's lead has its id: some senders send the form's id for the lead's, and a website that
 * was set up again counts its entries from 1. CallRail's ids are never used twice.
 */
export async function separatePeople(tx: Tx, parsed: ParsedEvent[]): Promise<ParsedEvent[]> {
  const suspects = parsed.filter(({ lead_s }) => lead_s !== 'Callrail')
  await lockProviderIds(tx, suspects)
  const known = await findKnownLeads(tx, suspects.map(toLeadNumber))
  const first = new Map<string, IncomingLead>()
  const separated: ParsedEvent[] = []
  for (const one of parsed) {
    const key = providerIdKey(toLeadNumber(one))
    const lead = known.get(key)
    const isOther = lead
      ? await isOfAnotherPerson(tx, lead, one)
      : isAnotherPerson(first.get(key) ?? one.incoming, one.incoming)
    if (!lead && !first.has(key)) first.set(key, one.incoming)
    separated.push(isOther && one.lead_s !== 'Callrail' ? giveOwnId(one, lead?.id) : one)
  }
  return separated
}

async function isOfAnotherPerson(
  tx: Tx,
  lead: StoredLead,
  { event, incoming, lead_id }: ParsedEvent,
): Promise<boolean> {
  if (lead.id === event.lead_id) return false
  if (lead.erased_at) return isSharedId(tx, event, lead_id)
  return isAnotherPerson(lead, incoming) && !(await isCorrected(tx, lead.id))
}

/** Returns whether a lead source has sent this id for several people. Who had it first cannot be compared once they are erased. */
async function isSharedId(tx: Tx, { source_id }: StoredEvent, leadId: string): Promise<boolean> {
  if (source_id === null) return false
  const { id, reason } = inboundEventsTable
  const [shared] = await tx
    .select({ id })
    .from(inboundEventsTable)
    .where(and(eq(inboundEventsTable.source_id, source_id), sql`starts_with(${reason}, ${describeTaken(leadId)})`))
    .orderBy(desc(id))
    .limit(1)
  return shared !== undefined
}

/**
 * Returns whether the phone or the email differs, and nothing else tells that both are the same person. Where both differ, a first name does
 * not tell.
 */
function isAnotherPerson(one: Contact, other: Contact): boolean {
  const compare = (key: (contact: Contact) => string | null) => {
    const [mine, theirs] = [key(one), key(other)]
    return mine === null || theirs === null ? null : mine === theirs
  }
  const contacts = [compare(toPhone), compare(toEmail)]
  if (contacts.includes(true) || !contacts.includes(false)) return false
  return compare(toName) !== true || (!contacts.includes(null) && !one.lead_name?.includes(' '))
}

const toPhone = ({ lead_phone }: Contact) => toPhoneKey(lead_phone)
const toEmail = ({ lead_email }: Contact) => lead_email?.toLowerCase() ?? null
const toName = ({ lead_name }: Contact) => lead_name?.toLowerCase() ?? null

/** A person who corrected a lead's contact made it differ from what its sender goes on sending. */
async function isCorrected(tx: Tx, leadId: number): Promise<boolean> {
  const fields = await readManualFields(tx, leadId)
  return ['lead_name', 'lead_phone', 'lead_email'].some((field) => fields.has(field))
}

/** The same for each event of this person. */
function giveOwnId(one: ParsedEvent, leadId: number | undefined): ParsedEvent {
  const person = toPhone(one.incoming) ?? toEmail(one.incoming) ?? ''
  const mark = createHash('sha256').update(person).digest('hex').slice(0, 8)
  const owner = leadId === undefined ? 'another lead' : `lead ${leadId}`
  return {
    ...one,
    lead_id: `${one.lead_id.slice(0, 190)}~${mark}`,
    note: `${describeTaken(one.lead_id)}${owner} of another person, so this is a lead of its own`,
  }
}

const describeTaken = (leadId: string) => `The id ${leadId} belongs to `
