import { and, desc, eq } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { audit } from '#core/db/schema.ts'
import { forbidden, notFound } from '#core/http/errors.ts'
import { implement, JsonText } from '#core/http/handle.ts'
import { users } from '#domains/access/schema.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { readableFields } from '#domains/leads/contract.ts'
import { inboundEvents } from '#domains/leads/intake/schema.ts'
import { mails } from '#domains/leads/mail/schema.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { changeLead, checkFields } from '#domains/leads/model/update-lead.ts'
import { visibleTo } from '#domains/leads/model/visibility.ts'
import { ratingKeys, ratingSaves } from '#domains/leads/rating/schema.ts'
import { history as contract, type LeadHistory } from '../contract.ts'
import { changesOf, wantedBack } from './changes.ts'

export const historyCalls = implement(contract, {
  read: async ({ db, me, params, house }) => {
    const row = await visibleLead(db, me, params.id)
    const [changes, mailed, events, ratings] = await Promise.all([
      changesOf(db, me, row, house.settings.AGENCY_TIMEZONE),
      mailsOf(db, row.id),
      eventsOf(db, row.id),
      ratingsOf(db, row.id),
    ])
    return { changes, mails: mailed, events, ratings }
  },

  restore: async ({ db, me, params, body, house, actor }) => {
    const row = await visibleLead(db, me, params.id)
    const [entry] = await db
      .select({ before: audit.before })
      .from(audit)
      .where(and(eq(audit.id, body.audit_id), eq(audit.kind, 'lead'), eq(audit.row_id, row.id)))
    if (!entry) throw notFound()
    const known: ReadonlySet<string> = readableFields(me)
    if (!known.has(body.field)) throw forbidden()
    checkFields(me, [body.field])
    const wanted = wantedBack(entry, body.field)
    const reader = { me, zone: house.settings.AGENCY_TIMEZONE }
    return new JsonText(await changeLead(db, reader, actor, { id: row.id, wanted, seen: body.version }))
  },
})

async function visibleLead(db: Queries, me: Me, id: number) {
  const [row] = await db
    .select()
    .from(leads)
    .where(and(eq(leads.id, id), visibleTo(me)))
  if (!row) throw notFound()
  return row
}

const most = 500
const text = (instant: Date | null) => instant?.toISOString() ?? null

async function mailsOf(db: Queries, leadId: number): Promise<LeadHistory['mails']> {
  const { id, kind, state, recipients, created_at, sent_at, error } = mails
  const rows = await db
    .select({ id, kind, state, recipients, asked_by: users.username, created_at, sent_at, error })
    .from(mails)
    .leftJoin(users, eq(users.id, mails.requested_by))
    .where(eq(mails.lead_id, leadId))
    .orderBy(desc(mails.id))
    .limit(most)
  return rows.map((mail) => ({ ...mail, created_at: mail.created_at.toISOString(), sent_at: text(mail.sent_at) }))
}

async function eventsOf(db: Queries, leadId: number): Promise<LeadHistory['events']> {
  const { id, provider, state, reason, reconciled_as, received_at, processed_at } = inboundEvents
  const rows = await db
    .select({ id, provider, state, reason, reconciled_as, received_at, processed_at })
    .from(inboundEvents)
    .where(eq(inboundEvents.lead_id, leadId))
    .orderBy(desc(inboundEvents.id))
    .limit(most)
  return rows.map(({ reconciled_as: name, ...event }) => ({
    ...event,
    found_by: name === null ? 'hook' : 'reconciliation',
    received_at: event.received_at.toISOString(),
    processed_at: text(event.processed_at),
  }))
}

async function ratingsOf(db: Queries, leadId: number): Promise<LeadHistory['ratings']> {
  const { id, at, auto, choice, outcome } = ratingSaves
  const rows = await db
    .select({ id, at, mail_id: ratingKeys.mail_id, auto, choice, outcome })
    .from(ratingSaves)
    .innerJoin(
      ratingKeys,
      and(eq(ratingKeys.id, ratingSaves.key_id), eq(ratingKeys.campaign_id, ratingSaves.campaign_id)),
    )
    .where(eq(ratingSaves.lead_id, leadId))
    .orderBy(desc(ratingSaves.id))
    .limit(most)
  return rows.map((save) => ({ ...save, at: save.at.toISOString(), scanner: save.outcome !== 'counted' }))
}
