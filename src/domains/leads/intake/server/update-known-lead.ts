import { and, eq, gt, inArray, isNotNull, lt, min, ne, notExists, or, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { cutText } from '#contract/cut-text.ts'
import type { Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import {
  autoCallTags,
  autoSpamTags,
  computeCallTags,
  hasSpamTag,
  isProviderSpam,
  toProviderSpam,
} from '#domains/leads/model/auto-tags.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { lockLead, updateLead } from '#domains/leads/model/store.ts'
import { readSourceBody } from '../../custom-sources/server/read-body.ts'
import { erasedEventColumns, notErasedCondition } from '../../personal-data/server/erased-events.ts'
import { inboundEventsTable, type StoredEvent } from '../schema.ts'
import { notifyOfLeads } from './announce-leads.ts'
import type { EventSite } from './find-site.ts'
import type { IncomingLead } from './incoming-lead.ts'
import { isLeadMessage } from './outbound-call.ts'
import { type ParsedEvent, readSequence } from './parsed-event.ts'

/** The provider: the audit log shows its changes without a person. */
export const providerActor = { me: null }

/**
 * Updates an existing lead with the provider's values, and returns it as it is then. Fields that a person has changed stay. A repeated
 * event, or one that a newer event has overtaken, only fills empty fields.
 * `together` are the events of the lead that have been processed just before.
 */
export async function updateKnownLead(
  tx: Tx,
  zone: string,
  parsed: ParsedEvent,
  last: StoredLead,
  together: readonly number[],
): Promise<StoredLead> {
  const { event, does, incoming, spam, site } = parsed
  const { id } = last
  if (last.erased_at) {
    await emptyEvent(tx, event.id)
    return last
  }
  const isFlagNews = spam !== null && spam.isSet !== last.tag_causes.some(isProviderSpam)
  if (Object.keys(findChangedFields(last, incoming, () => true)).length === 0 && !isFlagNews) return last
  const lead = (await lockLead(tx, id, {
    ...(incoming.lead_phone !== null && { lead_phone: incoming.lead_phone }),
    ...(incoming.lead_email !== null && { lead_email: incoming.lead_email }),
  }))!
  const before = lead.row
  const byPeople = await readManualFields(tx, id)
  const isNewest = !(await hasNewerEvent(tx, id, parsed, together))
  const corrects = does === 'change' && isNewest
  const message = await addMessage(tx, parsed, before, { byPerson: byPeople.has('message'), together })
  const said = findChangedFields(
    before,
    message === null ? incoming : { ...incoming, message },
    (field) =>
      (field === 'message' && message !== null) || (!byPeople.has(field) && (corrects || before[field] === null)),
  )
  const tags = byPeople.has('tags') ? {} : recomputeCallTags(before, { ...before, ...said }, site)
  const flag = isNewest && !byPeople.has('tags') ? applySpamFlag({ ...before, ...tags }, spam, byPeople) : {}
  const set: Partial<StoredLead> = { ...said, ...tags, ...flag }
  if (Object.keys(set).length > 0) await updateLead(tx, lead, { actor: providerActor, zone, set, before, after: set })
  if (parsed.isMessage && said.message && event.lead_id !== id) await notifyOfLeads(tx, [before])
  return { ...before, ...set }
}

/** Returns the message of a lead with that of an event added, unless it has it; null if the lead is no conversation. */
async function addMessage(
  tx: Tx,
  { event, incoming, isMessage }: ParsedEvent,
  { id, lead_id, message }: StoredLead,
  { byPerson, together }: { byPerson: boolean; together: readonly number[] },
): Promise<string | null> {
  if (incoming.message === null || message === incoming.message) return null
  const isAgain = event.lead_id === id
  if (message === null) return isMessage && !isAgain ? incoming.message : null
  if (event.source_id === null || (!isMessage && !(await hasMessages(tx, { id, lead_id }, together)))) return null
  // Processed again, perhaps under a corrected mapping.
  if (isAgain) return (await hasEvent(tx, id, { event, together, isSame: false })) ? message : null
  if (!isMessage && byPerson) return message
  const said = isMessage ? incoming.message : listNewLines(message, incoming.message)
  // A short answer may come a second time, but not at once.
  const isKnown = isMessage
    ? `\n${message}`.endsWith(`\n${said}`) || (await hasEvent(tx, id, { event, together, isSame: true }))
    : said === ''
  return isKnown ? message : cutText(`${message}\n${said}`, 20_000)
}

const hasLines = (message: string, lines: string) => `\n${message}\n`.includes(`\n${lines}\n`)
/** The enquiry may come again with more beside it. */
const listNewLines = (message: string, incoming: string) =>
  incoming
    .split('\n')
    .filter((line) => !hasLines(message, line))
    .join('\n')
    .trim()

/** Clears an event that repeats the data of an erased person. */
export const emptyEvent = (tx: Tx, eventId: number) =>
  tx.update(inboundEventsTable).set(erasedEventColumns).where(eq(inboundEventsTable.id, eventId))

/** Fields that no update changes. */
const immutableFields: readonly (keyof IncomingLead)[] = ['lead_type', 'occurred_at']

/** Returns the provider's fields that differ; a field that the provider leaves out stays. */
function findChangedFields(
  before: StoredLead,
  incoming: IncomingLead,
  mayChange: (field: keyof IncomingLead) => boolean,
): Partial<StoredLead> {
  const fields = Object.keys(incoming) as (keyof IncomingLead)[] // created by our parsers, with exactly these fields
  const changed = fields.filter(
    (field) =>
      !immutableFields.includes(field) &&
      incoming[field] !== null &&
      incoming[field] !== before[field] &&
      !(field === 'duration' && incoming.duration === 0 && before.duration !== null) && // the start of a call, behind its end
      mayChange(field),
  )
  return Object.fromEntries(changed.map((field) => [field, incoming[field]]))
}

/** Recomputes the call tags if the facts of the call have changed: a voicemail may be noticed late. */
function recomputeCallTags(before: StoredLead, after: IncomingLead, site: EventSite): Partial<StoredLead> {
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

/** Hides a lead that the provider has marked as spam since, and shows it again if the provider takes that back. */
function applySpamFlag(
  lead: StoredLead,
  spam: ParsedEvent['spam'],
  byPeople: ReadonlySet<string>,
): Partial<StoredLead> {
  if (spam === null || spam.isSet === lead.tag_causes.some(isProviderSpam)) return {}
  const tag_causes = lead.tag_causes.filter((cause) => !isProviderSpam(cause))
  const others = lead.tags.filter((tag) => tag !== 'Spam')
  const mayHide = !byPeople.has('hide')
  if (spam.isSet)
    return {
      tags: ['Spam', ...others],
      tag_causes: [toProviderSpam(spam.provider), ...tag_causes],
      ...(mayHide && { hide: true }),
    }
  return { tags: others, tag_causes, ...(mayHide && !hasSpamTag(tag_causes) && { hide: false }) }
}

/** Returns whether a lead has another event with the same bytes, or with others. */
async function hasEvent(
  tx: Tx,
  leadId: number,
  { event, together, isSame }: { event: ParsedEvent['event']; together: readonly number[]; isSame: boolean },
): Promise<boolean> {
  const { id, body } = inboundEventsTable
  const found = and(isOfLead(leadId, together), ne(id, event.id), (isSame ? eq : ne)(body, event.body))
  return (await tx.select({ id }).from(inboundEventsTable).where(found).limit(1)).length > 0
}

async function hasMessages(
  tx: Tx,
  { id, lead_id }: Pick<StoredLead, 'id' | 'lead_id'>,
  together: readonly number[],
): Promise<boolean> {
  const mayBeOne = sql`encode(${inboundEventsTable.body}, 'escape') ~* 'message_?id|chat(:|%3a)'`
  const events = await readEvents(tx, id, together, mayBeOne).limit(50)
  return events.some((event) => isLeadMessage(readEvent(event), lead_id))
}

/** Returns the fields that a person has changed, from the audit log. */
async function readManualFields(tx: Tx, leadId: number): Promise<Set<string>> {
  const entries = await tx
    .select({ after: auditTable.after })
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'lead'), eq(auditTable.row_id, leadId), isNotNull(auditTable.user_id)))
  return new Set(entries.flatMap(({ after }) => Object.keys(after ?? {})))
}

/**
 * Returns whether a later event has already been processed: one with a higher number, or else one whose bytes came later for the first time.
 * The same bytes again are a repeat, which a sender makes after a timeout: they are as old as they were.
 */
async function hasNewerEvent(
  tx: Tx,
  leadId: number,
  { event, sequence }: ParsedEvent,
  together: readonly number[],
): Promise<boolean> {
  const { id, body } = inboundEventsTable
  if (sequence === null) {
    const ofLead = isOfLead(leadId, together)
    const [same] = await tx
      .select({ first: min(id) })
      .from(inboundEventsTable)
      .where(and(ofLead, eq(body, event.body)))
    const first = Math.min(event.id, same?.first ?? event.id)
    const earlier = alias(inboundEventsTable, 'earlier')
    const isRepeat = tx
      .select({ id: earlier.id })
      .from(earlier)
      .where(and(isOfLead(leadId, together, earlier), lt(earlier.id, first), eq(earlier.body, body)))
    const newer = and(ofLead, gt(id, first), ne(body, event.body), notExists(isRepeat))
    return (await tx.select({ id }).from(inboundEventsTable).where(newer).limit(1)).length > 0
  }
  const others = await readEvents(tx, leadId, together)
  return others.some((other) => {
    const theirs = readSequence(readEvent(other))
    return other.id !== event.id && (theirs === null ? other.id > event.id : theirs > sequence)
  })
}

/** Reads the events of a lead that are not erased. */
function readEvents(tx: Tx, leadId: number, together: readonly number[], more?: SQL) {
  const { id, body, headers } = inboundEventsTable
  return tx
    .select({ id, body, headers })
    .from(inboundEventsTable)
    .where(and(isOfLead(leadId, together), notErasedCondition, more))
    .orderBy(id)
}

const readEvent = ({ body, headers }: Pick<StoredEvent, 'body' | 'headers'>) =>
  readSourceBody(body, headers['content-type'] ?? '')

const isOfLead = (
  leadId: number,
  together: readonly number[],
  { id, lead_id }: Record<'id' | 'lead_id', AnyPgColumn> = inboundEventsTable,
) => or(eq(lead_id, leadId), inArray(id, [...together]))
