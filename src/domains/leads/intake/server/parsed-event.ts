import { and, eq, inArray } from 'drizzle-orm'
import { isObject } from '#contract/is-object.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import {
  companyOrigin,
  type LeadCompany,
  type LeadNumber,
  siteOrigin,
  sourceOrigin,
} from '#domains/leads/model/provider-ids.ts'
import { readYesNo } from '#domains/leads/model/provider-words.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { classifyCallRailEvent, readCompanyIds } from '#integrations/callrail/webhook.ts'
import { toText } from '../../custom-sources/body-paths.ts'
import { type SourcePreset, sourcePresetTitles } from '../../custom-sources/labels.ts'
import { customSourcesTable } from '../../custom-sources/schema.ts'
import { describeProblems, isMapped, type MappedLead, mapLead } from '../../custom-sources/server/map-lead.ts'
import {
  openListOfOne,
  openOnlyField,
  readSourceBody,
  type SourceBody,
  UnreadableBodyError,
} from '../../custom-sources/server/read-body.ts'
import type { StoredEvent } from '../schema.ts'
import { isBlankForm, parseCallRailCall, parseCallRailForm, parseCallRailText } from './callrail-lead.ts'
import { type EventSite, EventSites } from './find-site.ts'
import { parseFormidableEntry } from './formidable-lead.ts'
import type { IncomingLead } from './incoming-lead.ts'
import { findNoLead } from './no-lead.ts'
import { isLeadMessage } from './outbound-call.ts'
import { type EventBody, getOwnField, parseEventBody, UnusableEventError, wrapperKeys } from './parse-body.ts'
import { findProviderTest } from './provider-test.ts'

/** A lead that an event describes. A `change` may correct earlier values of the provider; a repeated `lead` only fills gaps. */
export type ParsedEvent = {
  event: StoredEvent
  does: 'lead' | 'change'
  lead_s: StoredLead['lead_s']
  lead_id: string
  /** The id is surely of one lead, whatever contact it has now. */
  isOwnId?: boolean
  /** The verified sender that the number belongs to: the client site or the lead source. */
  origin: string
  /** The ids of CallRail's company that it names, the newer one first. */
  companies?: string[]
  /** The one that is proven to have sent it. */
  company?: LeadCompany
  notify?: boolean
  /** The provider's own spam flag; null if it has none. */
  spam: { provider: string; isSet: boolean } | null
  /** Where the event stands among the events of its call, if the provider numbers them. */
  sequence: number | null
  /** A text message, which may belong to the lead of an earlier one. */
  isText?: boolean
  /** One message in the conversation of a lead, whose message keeps the others too. */
  isMessage?: boolean
  incoming: IncomingLead
  site: EventSite
  /** What people should know about how the event was used. */
  note?: string
}

export const toLeadNumber = ({ lead_s, lead_id, origin, company, site }: ParsedEvent): LeadNumber => ({
  company,
  lead_s,
  lead_id,
  origin,
  campaign_id: site.campaign_id ?? noCampaignId,
  clientsite_id: site.id,
})

/** Parsed events by kind. All are kept. */
type ParsedEvents = {
  parsed: ParsedEvent[]
  ignored: { event: StoredEvent; reason: string }[]
  /** Events of lead sources that are not mapped yet. */
  waiting: { event: StoredEvent; reason: string }[]
  unusable: { event: StoredEvent; reason: string }[]
}

/** Parses events without writing anything. */
export async function parseEvents(db: DbOrTx, context: AppContext, events: StoredEvent[]): Promise<ParsedEvents> {
  const readings: ParsedEvents = { parsed: [], ignored: [], waiting: [], unusable: [] }
  const bodies = events.flatMap((event) =>
    event.source_id === null
      ? tryParse(readings, event, () => ({ event, body: parseEventBody(event.body, event.headers['content-type']) }))
      : [],
  )
  const sources = await EventSources.of(db, events)
  const sites = await EventSites.of(db, bodies, sources.siteIds)
  const keep = (event: StoredEvent, parse: () => ParseResult) => {
    for (const reading of tryParse(readings, event, parse))
      if ('reason' in reading) readings.ignored.push({ event, reason: reading.reason })
      else if ('waiting' in reading) readings.waiting.push({ event, reason: reading.waiting })
      else readings.parsed.push({ event, ...reading, incoming: cleanContact(reading.incoming) })
  }
  for (const { event, body } of bodies) keep(event, () => parseEvent(context, event, body, sites))
  for (const event of events)
    if (event.source_id !== null) keep(event, () => parseSourceEvent(context, event, sources, sites))
  return readings
}

function tryParse<T>(readings: ParsedEvents, event: StoredEvent, look: () => T): T[] {
  try {
    return [look()]
  } catch (error) {
    if (!(error instanceof UnusableEventError)) throw error
    readings.unusable.push({ event, reason: error.message })
    return []
  }
}

type ParseResult = Omit<ParsedEvent, 'event'> | { reason: string } | { waiting: string }

function parseEvent(context: AppContext, event: StoredEvent, body: EventBody, sites: EventSites): ParseResult {
  const reason = findProviderTest(body)
  if (reason !== null) return { reason }
  return event.provider === 'callrail'
    ? parseCallRailEvent(context, event, body, sites)
    : parseFormidableEvent(event, body, sites)
}

function parseCallRailEvent(context: AppContext, event: StoredEvent, body: EventBody, sites: EventSites): ParseResult {
  const found = classifyCallRailEvent(body)
  if (found.kind === 'unknown') throw new UnusableEventError(found.reason)
  if (found.kind === 'none') return { reason: found.reason }
  const companies = readCompanyIds(body)
  const { site, company } = sites.byCompany(context, event, companies)
  const incoming = callRailParsers[found.kind](body, event.received_at)
  if (isBlankForm(incoming)) throw new UnusableEventError('No field of the form was filled in')
  const does = found.kind === 'modified' ? 'change' : 'lead'
  return {
    does,
    lead_s: 'Callrail',
    lead_id: toProviderLeadId(found.id),
    isOwnId: true,
    origin: site.id === null ? companyOrigin(companies[0]!) : siteOrigin(site.id), // without a site its company is known
    companies,
    company,
    spam: readSpamFlag('CallRail', body),
    sequence: null,
    isText: found.kind === 'text',
    incoming,
    site,
  }
}

const callRailParsers = {
  call: parseCallRailCall,
  modified: parseCallRailCall,
  form: parseCallRailForm,
  text: parseCallRailText,
}

function parseFormidableEvent(event: StoredEvent, body: EventBody, sites: EventSites): ParseResult {
  const site = sites.byId(event.clientsite_id)
  const isPing = 'x-hook-test' in event.headers
  const entry = parseFormidableEntry(body, site.id, event.body, event.received_at, isPing)
  if ('reason' in entry) return entry
  // A second event of an entry is an update: the plugin has no other reason to send one.
  const lead_id = toProviderLeadId(entry.id)
  const origin = siteOrigin(site.id)
  const { incoming } = entry
  return { does: 'change', lead_s: 'Formidable', lead_id, origin, spam: null, sequence: null, incoming, site }
}

function parseSourceEvent(
  context: AppContext,
  event: StoredEvent,
  sources: EventSources,
  sites: EventSites,
): ParseResult {
  const body = readStoredBody(event)
  const reason = findNoLead(body)
  if (reason !== null) return { reason }
  const parsed = sources.parse(event, body, context.settings.AGENCY_TIMEZONE)
  if ('waiting' in parsed) return parsed
  const { lead_id, incoming, notify, source } = parsed
  const site = sites.byId(source.clientsite_id)
  const origin = sourceOrigin(source.id)
  const provider = source.preset === null ? 'The sender' : sourcePresetTitles[source.preset]
  return {
    does: 'change',
    lead_s: 'Other',
    lead_id: toProviderLeadId(lead_id),
    isOwnId: source.preset !== null && correctedPresets.includes(source.preset) && !source.mapping.lead_id,
    origin,
    notify,
    spam: readSpamFlag(provider, openOnlyField(body)),
    sequence: readSequence(body),
    isMessage: isLeadMessage(body, lead_id),
    incoming,
    site,
  }
}

/** The services that send a lead once more after its contact was corrected, each lead with an id of its own. */
const correctedPresets: readonly SourcePreset[] = ['whatconverts', 'jotform']

/** Puts aside what its sender was told cannot be read. */
function readStoredBody({ body, headers }: StoredEvent): SourceBody {
  try {
    return readSourceBody(body, headers['content-type'] ?? '')
  } catch (error) {
    throw error instanceof UnreadableBodyError ? new UnusableEventError(error.message) : error
  }
}

const spamKeys = ['spam', 'is_spam', 'isSpam', 'marked_as_spam']

/** Reads the flag of CallRail, WhatConverts and others like them. */
export function readSpamFlag(provider: string, body: unknown, depth = 0): ParsedEvent['spam'] {
  if (!isObject(body)) return null
  const isSet = readYesNo(spamKeys.map((key) => getOwnField(body, key)).find((value) => value !== undefined))
  if (isSet !== null) return { provider, isSet }
  if (depth === maxWrappers) return null
  const inner = wrapperKeys.map((key) => readSpamFlag(provider, openListOfOne(getOwnField(body, key)), depth + 1))
  return inner.find((found) => found !== null) ?? null
}
const maxWrappers = 3

/** Reads the number by which Twilio orders the events of a call, because they may arrive in any order. */
export function readSequence(body: unknown): number | null {
  const number = toText(isObject(body) ? getOwnField(body, 'SequenceNumber') : null)
  return number !== null && /^\d{1,9}$/.test(number) ? Number(number) : null
}

function toProviderLeadId(text: string): string {
  const id = text.replaceAll(/\p{Cc}/gu, '').toWellFormed()
  if (id === '' || id.length > 200) throw new UnusableEventError('The id of the event cannot be used')
  return id
}

type EventSource = Pick<typeof customSourcesTable.$inferSelect, 'id' | 'clientsite_id' | 'preset' | 'mapping'>

/** The lead sources of events, and the numbers of the leads that the events created before. */
class EventSources {
  readonly #sources: Map<number, EventSource>
  readonly #numbers: Map<number, string>

  private constructor(sources: EventSource[], leads: { id: number; lead_id: string }[]) {
    this.#sources = new Map(sources.map((source) => [source.id, source]))
    this.#numbers = new Map(leads.map(({ id, lead_id }) => [id, lead_id]))
  }

  static async of(db: DbOrTx, events: StoredEvent[]): Promise<EventSources> {
    const own = events.filter(({ source_id }) => source_id !== null)
    if (own.length === 0) return new EventSources([], [])
    const { id, clientsite_id, preset, mapping } = customSourcesTable
    const ids = [...new Set(own.map(({ source_id }) => source_id!))] // filtered above
    const sources = await db
      .select({ id, clientsite_id, preset, mapping })
      .from(customSourcesTable)
      .where(inArray(id, ids))
    const leadIds = own.flatMap(({ lead_id }) => lead_id ?? [])
    if (leadIds.length === 0) return new EventSources(sources, [])
    const leads = await db
      .select({ id: leadsTable.id, lead_id: leadsTable.lead_id })
      .from(leadsTable)
      .where(and(inArray(leadsTable.id, leadIds), eq(leadsTable.lead_s, 'Other')))
    return new EventSources(sources, leads)
  }

  /** The client sites that their leads belong to. */
  get siteIds(): number[] {
    return [...this.#sources.values()].map(({ clientsite_id }) => clientsite_id)
  }

  /** Parses an event with its source's mapping. An event that has a lead keeps it, even if its number is mapped differently now. */
  parse(
    { source_id, lead_id, body: bytes, received_at }: StoredEvent,
    body: unknown,
    zone: string,
  ): (MappedLead & { source: EventSource }) | { waiting: string } {
    const source = this.#sources.get(source_id ?? 0)
    if (!source) throw new UnusableEventError('The lead source of this event was deleted')
    if (!isMapped(source)) return { waiting: 'The fields of this lead source are not mapped yet' }
    const lead = mapLead({ ...source, body, bytes, receivedAt: received_at, zone })
    if (lead.problems.length > 0) throw new UnusableEventError(describeProblems(lead.problems))
    return { ...lead, lead_id: this.#numbers.get(lead_id ?? 0) ?? lead.lead_id, source }
  }
}
