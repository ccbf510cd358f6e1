import { and, desc, eq, inArray } from 'drizzle-orm'
import { cutText } from '#contract/cut-text.ts'
import { msPerDay } from '#contract/days.ts'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import { lockKeys } from '#domains/leads/model/lock-keys.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { findCompanyOrigins } from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { lockLead, updateLead } from '#domains/leads/model/store.ts'
import { classifyCallRailEvent } from '#integrations/callrail/webhook.ts'
import { inboundEventsTable } from '../schema.ts'
import { notifyOfLeads } from './announce-leads.ts'
import { parseCallRailText } from './callrail-lead.ts'
import { parseEventBody, UnusableEventError } from './parse-body.ts'
import type { ParsedEvent } from './parsed-event.ts'
import { emptyEvent, providerActor } from './update-known-lead.ts'

/** Locks the conversations of texts: two texts of one number at once are one lead. */
export const lockConversations = (tx: Tx, texts: ParsedEvent[]): Promise<void> =>
  lockKeys(tx, texts.map(toConversation))

const toConversation = ({ origin, incoming: { lead_phone, tracking_phone_number } }: ParsedEvent) =>
  `texts ${origin} ${toPhoneKey(lead_phone)} ${toPhoneKey(tracking_phone_number)}`

/** The hook and the list name a text differently: it is the same if it says the same at the same time. */
const sameTextMs = 60_000

type Text = { id: string; at: Date; content: string | null }
/** A lead that texts made, with the texts in it. */
type TextLead = { id: number; texts: Text[] }

/**
 * Adds a text to the lead of the texts that the same number sent to the same tracker within a day, mails no one, and returns the lead's id;
 * null if there is none. A text that is in a lead already is not added again.
 */
export async function appendText(tx: Tx, context: AppContext, parsed: ParsedEvent): Promise<number | null> {
  const at = parsed.incoming.occurred_at.getTime()
  const leads = await findTextLeads(tx, parsed)
  const isSame = (text: Text) =>
    text.id === parsed.lead_id ||
    (text.content === parsed.incoming.message && Math.abs(text.at.getTime() - at) <= sameTextMs)
  const known = leads.find(({ texts }) => texts.some(isSame))
  if (known) return known.id
  const near = leads.find(({ texts }) => texts.some((text) => Math.abs(text.at.getTime() - at) < msPerDay))
  if (!near) return null
  const lead = (await lockLead(tx, near.id))!
  const { row } = lead
  if (row.erased_at) {
    await emptyEvent(tx, parsed.event.id)
    return row.id
  }
  const message = cutText([row.message, parsed.incoming.message].filter(Boolean).join('\n'), 20_000)
  const set = { message }
  const zone = context.settings.AGENCY_TIMEZONE
  await updateLead(tx, lead, { actor: providerActor, zone, set, before: { message: row.message }, after: set })
  await notifyOfLeads(tx, [row])
  return row.id
}

/** The latest leads are enough: a text belongs to one of the last day. */
const maxLeads = 20

async function findTextLeads(tx: Tx, { origin, company, incoming }: ParsedEvent): Promise<TextLead[]> {
  const phone = toPhoneKey(incoming.lead_phone)
  const tracker = toPhoneKey(incoming.tracking_phone_number)
  if (phone === null || tracker === null) return []
  const { id, lead_s, lead_type, phone_key, tracking_phone_number, occurred_at } = leadsTable
  const ofCompany = company && (await findCompanyOrigins(tx, [company.id])).get(company.id)
  const origins = [origin, ...(ofCompany ?? [])]
  const rows = await tx
    .select({ id, tracking_phone_number })
    .from(leadsTable)
    .where(
      and(eq(phone_key, phone), eq(lead_s, 'Callrail'), eq(lead_type, 'Form'), inArray(leadsTable.origin, origins)),
    )
    .orderBy(desc(occurred_at))
    .limit(maxLeads)
  const ours = rows.filter((row) => toPhoneKey(row.tracking_phone_number) === tracker)
  return Promise.all(ours.map(async (row) => ({ id: row.id, texts: await readTexts(tx, row.id) })))
}

/** Reads the texts of a lead from the events that made it. */
async function readTexts(tx: Tx, leadId: number): Promise<Text[]> {
  const { body, headers, received_at, lead_id, provider } = inboundEventsTable
  const events = await tx
    .select({ body, headers, received_at })
    .from(inboundEventsTable)
    .where(and(eq(lead_id, leadId), eq(provider, 'callrail')))
  return events.flatMap((event) => {
    try {
      const sent = parseEventBody(event.body, event.headers['content-type'])
      const found = classifyCallRailEvent(sent)
      if (found.kind !== 'text') return []
      const { occurred_at: at, message } = cleanContact(parseCallRailText(sent, event.received_at))
      return [{ id: found.id, at, content: message }]
    } catch (error) {
      if (error instanceof UnusableEventError) return [] // erased in between
      throw error
    }
  })
}
