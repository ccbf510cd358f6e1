import { createHash } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { findKnownLeads, lockProviderIds, providerIdKey } from '#domains/leads/model/provider-ids.ts'
import { inboundEventsTable, type StoredEvent } from '../schema.ts'
import type { IncomingLead } from './incoming-lead.ts'
import { type ParsedEvent, toLeadNumber } from './parsed-event.ts'

type Contact = Pick<IncomingLead, 'lead_name' | 'lead_phone' | 'lead_email'>

/**
 * Gives an event an id of its own where another person's lead has its id: some senders send the form's id for the lead's, and a website that
 * was set up again counts its entries from 1. An id that is surely the lead's own stays, as CallRail's do.
 */
export async function separatePeople(tx: Tx, parsed: ParsedEvent[]): Promise<ParsedEvent[]> {
  const suspects = parsed.filter(({ isOwnId }) => !isOwnId)
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
    separated.push(isOther && !one.isOwnId ? giveOwnId(one, lead?.id) : one)
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
  return isAnotherPerson(lead, incoming) && !(await findCorrected(tx, [lead.id])).has(lead.id)
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
export function isAnotherPerson(one: Contact, other: Contact): boolean {
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

/** Returns the leads whose contact a person has corrected: it differs from what their sender goes on sending. */
export async function findCorrected(db: DbOrTx, leadIds: readonly number[]): Promise<Set<number>> {
  const { row_id, kind, user_id, after } = auditTable
  const rows = await db
    .selectDistinct({ id: row_id })
    .from(auditTable)
    .where(
      and(
        eq(kind, 'lead'),
        inArray(row_id, [...leadIds]),
        isNotNull(user_id),
        sql`${after} ?| array['lead_name', 'lead_phone', 'lead_email']`,
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

function giveOwnId(one: ParsedEvent, leadId: number | undefined): ParsedEvent {
  const owner = leadId === undefined ? 'another lead' : `lead ${leadId}`
  return {
    ...one,
    lead_id: toOwnId(one.lead_id, one.incoming),
    note: `${describeTaken(one.lead_id)}${owner} of another person, so this is a lead of its own`,
  }
}

/** Returns the id of a person's lead where another person's lead has its id. It is the same each time. */
export function toOwnId(leadId: string, contact: Contact): string {
  const person = toPhone(contact) ?? toEmail(contact) ?? ''
  return `${leadId.slice(0, 190)}~${createHash('sha256').update(person).digest('hex').slice(0, 8)}`
}

const describeTaken = (leadId: string) => `The id ${leadId} belongs to `
