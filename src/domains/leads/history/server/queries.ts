import { and, desc, eq, inArray } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleClients } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { arrivingMailStates, repeatableMailStates } from '#domains/leads/labels.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { readSkipReason } from '#domains/leads/mail/server/enqueue.ts'
import { isReplacedForClient } from '#domains/leads/mail/server/replaced-mails.ts'
import { readCampaignClients } from '#domains/leads/model/client-moves.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import { ratingKeysTable, ratingSavesTable } from '#domains/leads/rating/schema.ts'
import type { LeadHistory } from '../contract.ts'
import { readLeadChanges } from './changes.ts'

/** Returns everything that happened to a lead, as this admin may read it. */
export async function readLeadHistory(
  db: DbOrTx,
  me: CurrentUser,
  row: StoredLead,
  zone: string,
): Promise<BeforeJson<LeadHistory>> {
  const [changes, mails, events, ratings] = await Promise.all([
    readLeadChanges(db, me, row, zone),
    readMails(db, me, row),
    readEvents(db, row.id),
    readRatings(db, row.id),
  ])
  const unmailed_because = mails.length > 0 ? null : await readSkipReason(db, row.id)
  return { changes, mails, unmailed_because, events, ratings }
}

/** Reads a lead. Throws 404 if this person may not see it. */
export async function readVisibleLead(db: DbOrTx, me: CurrentUser, id: number) {
  const [row] = await db
    .select()
    .from(leadsTable)
    .where(and(eq(leadsTable.id, id), visibleLeadsCondition(me)))
  if (!row) throw notFoundError()
  return row
}

const maxEntries = 500

/** A lead that was moved keeps its emails: of those to a client whom this person does not see, only that there were any is told. */
async function readMails(
  db: DbOrTx,
  me: CurrentUser,
  { id: leadId, campaign_id }: StoredLead,
): Promise<BeforeJson<LeadHistory['mails']>> {
  const { id, kind, state, client_id, recipients, created_at, sent_at, error, relay_answer, again_of } = mailsTable
  const facts = { id, kind, state, client_id, recipients, created_at, sent_at, error, relay_answer, again_of }
  const rows = await db
    .select({ ...facts, asked_by: usersTable.username })
    .from(mailsTable)
    .leftJoin(usersTable, eq(usersTable.id, mailsTable.requested_by))
    .where(eq(mailsTable.lead_id, leadId))
    .orderBy(desc(mailsTable.id))
    .limit(maxEntries)
  const clientIds = rows.flatMap(({ client_id }) => client_id ?? [])
  const seen = await db
    .select({ id: clientsTable.id })
    .from(clientsTable)
    .where(and(inArray(clientsTable.id, clientIds), inVisibleClients(me, clientsTable.id)))
  const seenIds = new Set<number | null>([null, ...seen.map((client) => client.id)])
  const client = (await readCampaignClients(db, [campaign_id])).get(campaign_id) ?? null
  const isRepeated = ({ id: first, again_of: origin }: Pick<(typeof rows)[number], 'id' | 'again_of'>) =>
    rows.some(
      (later) => later.id > first && later.again_of === (origin ?? first) && arrivingMailStates.includes(later.state),
    )
  return rows.map(({ again_of: origin, client_id, ...mail }) => ({
    ...mail,
    ...(seenIds.has(client_id) ? {} : { recipients: [], error: null, relay_answer: null }),
    can_repeat:
      repeatableMailStates.includes(mail.state) &&
      !isRepeated({ ...mail, again_of: origin }) &&
      !isReplacedForClient({ ...mail, client_id }, rows, client),
  }))
}

async function readEvents(db: DbOrTx, leadId: number): Promise<BeforeJson<LeadHistory['events']>> {
  const { id, provider, state, reason, reconciled_as, received_at, processed_at } = inboundEventsTable
  const rows = await db
    .select({ id, provider, state, reason, reconciled_as, received_at, processed_at })
    .from(inboundEventsTable)
    .where(eq(inboundEventsTable.lead_id, leadId))
    .orderBy(desc(inboundEventsTable.id))
    .limit(maxEntries)
  return rows.map(({ reconciled_as: name, ...event }) => ({
    ...event,
    found_by: name === null ? 'hook' : 'reconciliation',
  }))
}

async function readRatings(db: DbOrTx, leadId: number): Promise<BeforeJson<LeadHistory['ratings']>> {
  const { id, at, auto, choice, reason, outcome } = ratingSavesTable
  const rows = await db
    .select({ id, at, mail_id: ratingKeysTable.mail_id, auto, choice, reason, outcome })
    .from(ratingSavesTable)
    .innerJoin(
      ratingKeysTable,
      and(
        eq(ratingKeysTable.id, ratingSavesTable.key_id),
        eq(ratingKeysTable.campaign_id, ratingSavesTable.campaign_id),
      ),
    )
    .where(eq(ratingSavesTable.lead_id, leadId))
    .orderBy(desc(ratingSavesTable.id))
    .limit(maxEntries)
  return rows.map((save) => ({ ...save, scanner: save.outcome !== 'counted' }))
}
