import { and, eq, gt, isNotNull } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { audit } from '#core/db/schema.ts'
import { holdShared, refreshSharedBy, sharedKeys, sharesNone } from '#domains/leads/model/duplicates.ts'
import { holdFirstCalls, refreshFirstCalls } from '#domains/leads/model/first-call.ts'
import { livesAt, lockLead } from '#domains/leads/model/lead-key.ts'
import { phoneKey } from '#domains/leads/model/phone-key.ts'
import { nameOf } from '#domains/leads/model/provider-ids.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { inboundEvents } from '../schema.ts'
import { callTags, spamTags, tagsOfCall } from './auto-tags.ts'
import type { Site } from './find-site.ts'
import type { Incoming } from './incoming-lead.ts'
import type { Told } from './parsed-event.ts'

type Row = typeof leads.$inferSelect

/** The provider itself: the trail shows its changes without a person. */
const provider = { me: null }

/**
 * Brings a lead that is there already up to what the provider says now, and answers its id. What a person has changed stays
 * as they left it. A lead that is merely said again, or an event that a newer one has overtaken, only fills what is empty.
 */
export async function changeKnownLead(tx: Tx, told: Told, known: Map<string, Row>): Promise<number> {
  const { event, does, incoming, site } = told
  const last = known.get(nameOf(told))! // it was there when leads were made, and only what an import undoes is removed
  const { id } = last
  if (Object.keys(news(last, incoming, () => true)).length === 0) return id
  const key = phoneKey(incoming.lead_phone)
  await holdFirstCalls(tx, id, (from) => ({ ...from, phone_key: key ?? from.phone_key }))
  await holdShared(tx, id, {
    ...(incoming.lead_phone !== null && { phone_key: key }),
    ...(incoming.lead_email !== null && { lead_email: incoming.lead_email }),
  })
  const before = (await lockLead(tx, id))!
  const byPeople = await fieldsOfPeople(tx, id)
  const corrects = does === 'change' && !(await isOvertaken(tx, id, event.id))
  const said = news(before, incoming, (field) => !byPeople.has(field) && (corrects || before[field] === null))
  const tags = byPeople.has('tags') ? {} : callTagsAgain(before, { ...before, ...said }, site)
  const changed: Partial<Row> = { ...said, ...tags }
  if (Object.keys(changed).length === 0) return id
  await write(tx, before, changed)
  await record(tx, provider, { kind: 'lead', rowId: id, before, after: changed, version: before.version + 1 })
  return id
}

/** What stays as it was when the lead came in, whatever an update says. */
const settled: readonly (keyof Incoming)[] = ['lead_type', 'occurred_at']

/** The fields that the provider says differently now; saying nothing takes nothing away. */
function news(before: Row, incoming: Incoming, mayChange: (field: keyof Incoming) => boolean): Partial<Row> {
  const fields = Object.keys(incoming) as (keyof Incoming)[] // built by us, with these fields only
  const changed = fields.filter(
    (field) =>
      !settled.includes(field) && incoming[field] !== null && incoming[field] !== before[field] && mayChange(field),
  )
  return Object.fromEntries(changed.map((field) => [field, incoming[field]]))
}

/** Tags that say how the call went, again, where that is told differently now: a voicemail may be noticed late. */
function callTagsAgain(before: Row, after: Incoming, site: Site): Partial<Row> {
  const facts = ['answered', 'voicemail', 'call_type', 'duration'] as const
  if (facts.every((fact) => before[fact] === after[fact])) return {}
  const automatic = new Set(before.tag_causes.filter(({ tag }) => callTags.includes(tag)).map(({ tag }) => tag))
  const kept = before.tags.filter((tag) => !automatic.has(tag))
  const causes = tagsOfCall(after, site.hours).filter(({ tag }) => !kept.includes(tag))
  const spam = kept.filter((tag) => spamTags.includes(tag))
  const tags = [...spam, ...causes.map(({ tag }) => tag), ...kept.filter((tag) => !spam.includes(tag))]
  if (JSON.stringify(tags) === JSON.stringify(before.tags)) return {}
  return { tags, tag_causes: [...before.tag_causes.filter(({ tag }) => !automatic.has(tag)), ...causes] }
}

async function write(tx: Tx, before: Row, changed: Partial<Row>) {
  const newPhone = changed.lead_phone === undefined ? null : { phone_key: phoneKey(changed.lead_phone) }
  const isMoved = newPhone !== null && newPhone.phone_key !== before.phone_key
  const after = { ...before, ...changed, ...newPhone }
  const [written] = await tx
    .update(leads)
    .set({
      ...changed,
      ...newPhone,
      ...(isMoved && { first_call: false }),
      ...sharesNone(after),
      version: before.version + 1,
    })
    .where(livesAt(before))
    .returning(sharedKeys)
  if (isMoved) {
    await refreshFirstCalls(tx, before.campaign_id, before.phone_key)
    await refreshFirstCalls(tx, before.campaign_id, after.phone_key)
  }
  await refreshSharedBy(tx, before, written!)
}

/** The fields that somebody changed by hand, as the trail has them. */
async function fieldsOfPeople(tx: Tx, leadId: number): Promise<Set<string>> {
  const entries = await tx
    .select({ after: audit.after })
    .from(audit)
    .where(and(eq(audit.kind, 'lead'), eq(audit.row_id, leadId), isNotNull(audit.user_id)))
  return new Set(entries.flatMap(({ after }) => Object.keys(after ?? {})))
}

/** Whether an event that came in later has been followed already. */
async function isOvertaken(tx: Tx, leadId: number, eventId: number): Promise<boolean> {
  const [newer] = await tx
    .select({ id: inboundEvents.id })
    .from(inboundEvents)
    .where(and(eq(inboundEvents.lead_id, leadId), gt(inboundEvents.id, eventId)))
    .limit(1)
  return newer !== undefined
}
