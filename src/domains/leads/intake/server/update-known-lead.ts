import { and, eq, gt, isNotNull } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import {
  clearDuplicateFlags,
  duplicateKeyColumns,
  lockDuplicates,
  refreshChangedDuplicates,
} from '#domains/leads/model/duplicates.ts'
import { lockFirstCalls, refreshFirstCalls } from '#domains/leads/model/first-call.ts'
import { lockLead, matchesLeadKey } from '#domains/leads/model/lead-key.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { providerIdKey } from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { inboundEventsTable } from '../schema.ts'
import { autoCallTags, autoSpamTags, computeCallTags } from './auto-tags.ts'
import type { EventSite } from './find-site.ts'
import type { IncomingLead } from './incoming-lead.ts'
import type { ParsedEvent } from './parsed-event.ts'

type LeadRow = typeof leadsTable.$inferSelect

/** The provider itself: the trail shows its changes without a person. */
const providerActor = { me: null }

/**
 * Brings a lead that is there already up to what the provider says now, and answers its id. What a person has changed stays
 * as they left it. A lead that is merely said again, or an event that a newer one has overtaken, only fills what is empty.
 */
export async function updateKnownLead(tx: Tx, told: ParsedEvent, known: Map<string, LeadRow>): Promise<number> {
  const { event, does, incoming, site } = told
  const last = known.get(providerIdKey(told))! // it was there when leads were made, and only what an import undoes is removed
  const { id } = last
  if (Object.keys(findChangedFields(last, incoming, () => true)).length === 0) return id
  const key = toPhoneKey(incoming.lead_phone)
  await lockFirstCalls(tx, id, (from) => ({ ...from, phone_key: key ?? from.phone_key }))
  await lockDuplicates(tx, id, {
    ...(incoming.lead_phone !== null && { phone_key: key }),
    ...(incoming.lead_email !== null && { lead_email: incoming.lead_email }),
  })
  const before = (await lockLead(tx, id))!
  const byPeople = await readManualFields(tx, id)
  const corrects = does === 'change' && !(await hasNewerEvent(tx, id, event.id))
  const said = findChangedFields(
    before,
    incoming,
    (field) => !byPeople.has(field) && (corrects || before[field] === null),
  )
  const tags = byPeople.has('tags') ? {} : recomputeCallTags(before, { ...before, ...said }, site)
  const changed: Partial<LeadRow> = { ...said, ...tags }
  if (Object.keys(changed).length === 0) return id
  await writeKnownLead(tx, before, changed)
  await writeAudit(tx, providerActor, { kind: 'lead', rowId: id, before, after: changed, version: before.version + 1 })
  return id
}

/** What stays as it was when the lead came in, whatever an update says. */
const immutableFields: readonly (keyof IncomingLead)[] = ['lead_type', 'occurred_at']

/** The fields that the provider says differently now; saying nothing takes nothing away. */
function findChangedFields(
  before: LeadRow,
  incoming: IncomingLead,
  mayChange: (field: keyof IncomingLead) => boolean,
): Partial<LeadRow> {
  const fields = Object.keys(incoming) as (keyof IncomingLead)[] // built by us, with these fields only
  const changed = fields.filter(
    (field) =>
      !immutableFields.includes(field) &&
      incoming[field] !== null &&
      incoming[field] !== before[field] &&
      mayChange(field),
  )
  return Object.fromEntries(changed.map((field) => [field, incoming[field]]))
}

/** Tags that say how the call went, again, where that is told differently now: a voicemail may be noticed late. */
function recomputeCallTags(before: LeadRow, after: IncomingLead, site: EventSite): Partial<LeadRow> {
  const facts = ['answered', 'voicemail', 'call_type', 'duration'] as const
  if (facts.every((fact) => before[fact] === after[fact])) return {}
  const automatic = new Set(before.tag_causes.filter(({ tag }) => autoCallTags.includes(tag)).map(({ tag }) => tag))
  const kept = before.tags.filter((tag) => !automatic.has(tag))
  const causes = computeCallTags(after, site.hours).filter(({ tag }) => !kept.includes(tag))
  const spam = kept.filter((tag) => autoSpamTags.includes(tag))
  const tags = [...spam, ...causes.map(({ tag }) => tag), ...kept.filter((tag) => !spam.includes(tag))]
  if (JSON.stringify(tags) === JSON.stringify(before.tags)) return {}
  return { tags, tag_causes: [...before.tag_causes.filter(({ tag }) => !automatic.has(tag)), ...causes] }
}

async function writeKnownLead(tx: Tx, before: LeadRow, changed: Partial<LeadRow>) {
  const newPhone = changed.lead_phone === undefined ? null : { phone_key: toPhoneKey(changed.lead_phone) }
  const isMoved = newPhone !== null && newPhone.phone_key !== before.phone_key
  const after = { ...before, ...changed, ...newPhone }
  const [written] = await tx
    .update(leadsTable)
    .set({
      ...changed,
      ...newPhone,
      ...(isMoved && { first_call: false }),
      ...clearDuplicateFlags(after),
      version: before.version + 1,
    })
    .where(matchesLeadKey(before))
    .returning(duplicateKeyColumns)
  if (isMoved) {
    await refreshFirstCalls(tx, before.campaign_id, before.phone_key)
    await refreshFirstCalls(tx, before.campaign_id, after.phone_key)
  }
  await refreshChangedDuplicates(tx, before, written!)
}

/** The fields that somebody changed by hand, as the trail has them. */
async function readManualFields(tx: Tx, leadId: number): Promise<Set<string>> {
  const entries = await tx
    .select({ after: auditTable.after })
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'lead'), eq(auditTable.row_id, leadId), isNotNull(auditTable.user_id)))
  return new Set(entries.flatMap(({ after }) => Object.keys(after ?? {})))
}

/** Whether an event that came in later has been followed already. */
async function hasNewerEvent(tx: Tx, leadId: number, eventId: number): Promise<boolean> {
  const [newer] = await tx
    .select({ id: inboundEventsTable.id })
    .from(inboundEventsTable)
    .where(and(eq(inboundEventsTable.lead_id, leadId), gt(inboundEventsTable.id, eventId)))
    .limit(1)
  return newer !== undefined
}
