import { and, eq, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { House } from '#core/app-context.ts'
import type { Queries, Tx } from '#core/db/db.ts'
import { users } from '#domains/access/schema.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { clients } from '#domains/clients/schema.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { mails } from '../schema.ts'
import { sendMail } from './jobs.ts'

type Asked = {
  kind: (typeof mails.$inferSelect)['kind']
  /** Who asks for it by hand; null when the lead's arrival does. */
  requestedBy: number | null
}
/** A mail that waits, or why there is none. */
export type Enqueued = { mail: typeof mails.$inferSelect } | { none: string }

/** The same for one lead. */
export async function enqueueMail(tx: Tx, house: House, { leadId, ...asked }: Asked & { leadId: number }) {
  const enqueued = await enqueueMails(tx, house, { ...asked, leadIds: [leadId] })
  return enqueued.get(leadId)!
}

/**
 * Puts a mail for each lead into the outbox and a job for it into the queue: both are there after the commit, or neither. What
 * comes by itself respects the lead's Notify switch; what somebody asks for does not, but the client's own choice holds for both.
 */
export async function enqueueMails(
  tx: Tx,
  house: House,
  { leadIds, kind, requestedBy }: Asked & { leadIds: number[] },
): Promise<Map<number, Enqueued>> {
  const enqueued = new Map<number, Enqueued>(leadIds.map((id) => [id, { none: 'This lead has no client' }]))
  const wanted: (typeof mails.$inferInsert)[] = []
  for (const found of await addressees(tx, leadIds)) {
    const recipients = addresses([found.email ?? '', ...found.emails])
    const none = whyNone(found, recipients, requestedBy)
    if (none) enqueued.set(found.leadId, { none })
    else
      wanted.push({ lead_id: found.leadId, campaign_id: found.campaignId, kind, recipients, requested_by: requestedBy })
  }
  if (wanted.length === 0) return enqueued
  const made = await tx.insert(mails).values(wanted).returning()
  for (const mail of made) enqueued.set(mail.lead_id, { mail })
  await house.jobs.sendAll(
    tx,
    sendMail,
    made.map(({ id }) => ({ mailId: id })),
  )
  return enqueued
}

type Addressee = Awaited<ReturnType<typeof addressees>>[number]

function whyNone({ disabled, notify }: Addressee, recipients: string[], requestedBy: number | null): string | null {
  if (disabled) return 'Notifications are disabled for this client'
  if (requestedBy === null && !notify) return 'Notifications are off for this lead'
  return recipients.length === 0 ? 'This client has no email address' : null
}

/** The client behind each lead: the login account's address, the additional ones, and whether they want mails at all. */
async function addressees(db: Queries, leadIds: number[]) {
  if (leadIds.length === 0) return []
  return db
    .select({
      leadId: leads.id,
      campaignId: leads.campaign_id,
      notify: leads.notify,
      disabled: clients.disable_notifications,
      email: users.email,
      emails: clients.emails,
    })
    .from(leads)
    .innerJoin(campaigns, eq(campaigns.id, leads.campaign_id))
    .innerJoin(clients, and(eq(clients.id, campaigns.client_id), isNull(clients.deleted_at)))
    .leftJoin(users, and(eq(users.client_id, clients.id), isNull(users.deleted_at)))
    .where(inArray(leads.id, leadIds))
}

const anAddress = z.email()

/** Each once, whatever its case; what is no address is left out. */
function addresses(given: string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const address of given.map((text) => text.trim()))
    if (anAddress.safeParse(address).success && !byFolded.has(address.toLowerCase()))
      byFolded.set(address.toLowerCase(), address)
  return [...byFolded.values()]
}
