import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { campaigns } from '#domains/campaigns/table.ts'
import { clients } from '#domains/clients/table.ts'
import { leads } from '#domains/leads/table.ts'
import { users } from '#domains/session/table.ts'
import type { Queries, Tx } from '#server/db.ts'
import type { House } from '#server/house.ts'
import { sendMail } from './jobs.ts'
import { mails } from './table.ts'

type Asked = {
  leadId: number
  kind: (typeof mails.$inferSelect)['kind']
  /** Who asks for it by hand; null when the lead's arrival does. */
  requestedBy: number | null
}
/** A mail that waits, or why there is none. */
export type Enqueued = { mail: typeof mails.$inferSelect } | { none: string }

/**
 * Puts a mail into the outbox and a job for it into the queue: both are there after the commit, or neither. What comes by itself
 * respects the lead's Notify switch; what somebody asks for does not, but the client's own choice holds for both.
 */
export async function enqueueMail(tx: Tx, house: House, { leadId, kind, requestedBy }: Asked): Promise<Enqueued> {
  const found = await addressee(tx, leadId)
  if (!found) return { none: 'This lead has no client' }
  if (found.disabled) return { none: 'Notifications are disabled for this client' }
  if (requestedBy === null && !found.notify) return { none: 'Notifications are off for this lead' }
  const recipients = addresses([found.email ?? '', ...found.emails])
  if (recipients.length === 0) return { none: 'This client has no email address' }
  const [mail] = await tx
    .insert(mails)
    .values({ lead_id: leadId, kind, recipients, requested_by: requestedBy })
    .returning()
  await house.jobs.send(tx, sendMail, { mailId: mail!.id })
  return { mail: mail! }
}

/** The client behind a lead: the login account's address, the additional ones, and whether they want mails at all. */
async function addressee(db: Queries, leadId: number) {
  const [found] = await db
    .select({
      notify: leads.notify,
      disabled: clients.disable_notifications,
      email: users.email,
      emails: clients.emails,
    })
    .from(leads)
    .innerJoin(campaigns, eq(campaigns.id, leads.campaign_id))
    .innerJoin(clients, and(eq(clients.id, campaigns.client_id), isNull(clients.deleted_at)))
    .leftJoin(users, and(eq(users.client_id, clients.id), isNull(users.deleted_at)))
    .where(eq(leads.id, leadId))
  return found
}

/** Each once, whatever its case; what is no address is left out. */
function addresses(given: string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const address of given.map((text) => text.trim()))
    if (z.email().safeParse(address).success && !byFolded.has(address.toLowerCase()))
      byFolded.set(address.toLowerCase(), address)
  return [...byFolded.values()]
}
