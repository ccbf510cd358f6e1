import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { accountEmailSql, dedupeAddresses, isInvitedSql, isSwitchedOffSql } from '#domains/clients/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { mailsTable } from '../schema.ts'
import { sendMailJob } from './jobs.ts'

type MailRequest = {
  kind: (typeof mailsTable.$inferSelect)['kind']
  /** Who requests the mail by hand; null for an automatic one. */
  requestedBy: number | null
  /** The mail to repeat. */
  againOf?: number
}
/** A queued mail, or why there is none. */
type EnqueuedMail = { mail: typeof mailsTable.$inferSelect } | { none: string }

/** Does the same for one lead. */
export async function enqueueMail(
  tx: Tx,
  context: AppContext,
  { leadId, ...request }: MailRequest & { leadId: number },
) {
  const enqueued = await enqueueMails(tx, context, { ...request, leadIds: [leadId] })
  return enqueued.get(leadId)!
}

/**
 * Puts a mail for each lead into the outbox and a job for it into the queue, in the same commit. Automatic mails respect the lead's
 * Notify switch, requested ones do not; the client's own choice applies to both.
 */
export async function enqueueMails(
  tx: Tx,
  context: AppContext,
  { leadIds, kind, requestedBy, againOf }: MailRequest & { leadIds: number[] },
): Promise<Map<number, EnqueuedMail>> {
  const enqueued = new Map<number, EnqueuedMail>(leadIds.map((id) => [id, { none: noClient }]))
  const wanted: (typeof mailsTable.$inferInsert)[] = []
  for (const found of await readLeadClients(tx, leadIds)) {
    const recipients = listRecipients(found)
    const none = findSkipReason(found, recipients, requestedBy)
    if (none) enqueued.set(found.leadId, { none })
    else
      wanted.push({
        ...{ lead_id: found.leadId, campaign_id: found.campaignId, client_id: found.clientId },
        ...{ kind, recipients, requested_by: requestedBy },
        ...(againOf !== undefined && { again_of: againOf }),
      })
  }
  if (wanted.length === 0) return enqueued
  const made = await tx.insert(mailsTable).values(wanted).returning()
  for (const mail of made) enqueued.set(mail.lead_id, { mail })
  await context.jobs.sendAll(
    tx,
    sendMailJob,
    made.map(({ id }) => ({ mailId: id })),
  )
  return enqueued
}

/** Returns why no email about a lead would be sent by itself now; null if one would be. */
export async function readSkipReason(db: DbOrTx, leadId: number): Promise<string | null> {
  const [found] = await readLeadClients(db, [leadId])
  return found ? findSkipReason(found, listRecipients(found), null) : noClient
}

const noClient = 'This lead has no client'
type LeadClient = Awaited<ReturnType<typeof readLeadClients>>[number]
const listRecipients = ({ email, emails }: LeadClient) => dedupeAddresses([email ?? '', ...emails])

function findSkipReason(
  { isOff, disabled, notify, invited }: LeadClient,
  recipients: string[],
  requestedBy: number | null,
): string | null {
  if (isOff) return 'This client is switched off'
  if (disabled) return 'Notifications are disabled for this client'
  if (requestedBy === null && !notify) return 'Notifications are off for this lead'
  if (recipients.length > 0) return null
  return invited ? 'This client has not accepted the invitation yet' : 'This client has no email address'
}

/** Reads the client of each lead: the address of the login account once it is not just invited, the additional ones, and whether they want mails. */
async function readLeadClients(db: DbOrTx, leadIds: number[]) {
  if (leadIds.length === 0) return []
  return db
    .select({
      leadId: leadsTable.id,
      campaignId: leadsTable.campaign_id,
      notify: leadsTable.notify,
      clientId: clientsTable.id,
      isOff: isSwitchedOffSql,
      disabled: clientsTable.disable_notifications,
      email: accountEmailSql,
      invited: isInvitedSql,
      emails: clientsTable.emails,
    })
    .from(leadsTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, leadsTable.campaign_id))
    .innerJoin(clientsTable, and(eq(clientsTable.id, campaignsTable.client_id), isNull(clientsTable.deleted_at)))
    .leftJoin(usersTable, and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at)))
    .where(inArray(leadsTable.id, leadIds))
}
