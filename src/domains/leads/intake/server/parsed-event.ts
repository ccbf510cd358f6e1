import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { siteOrigin, sourceOrigin } from '#domains/leads/model/provider-ids.ts'
import { classifyCallRailEvent, readCompanyIds } from '#integrations/callrail/webhook.ts'
import { readSourceBody } from '../../custom-sources/server/read-body.ts'
import type { StoredEvent } from '../schema.ts'
import { parseCallRailCall, parseCallRailForm } from './callrail-lead.ts'
import { type EventSite, EventSites } from './find-site.ts'
import { parseFormidableEntry } from './formidable-lead.ts'
import type { IncomingLead } from './incoming-lead.ts'
import { type EventBody, parseEventBody, UnusableEventError } from './parse-body.ts'
import { EventSources } from './source-events.ts'

/** A lead that an event describes. A `change` may correct earlier values of the provider; a repeated `lead` only fills gaps. */
export type ParsedEvent = {
  event: StoredEvent
  does: 'lead' | 'change'
  lead_s: StoredLead['lead_s']
  lead_id: string
  /** The verified sender that the number belongs to: the client site or the lead source. */
  origin: string
  notify?: boolean
  incoming: IncomingLead
  site: EventSite
}
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
    event.source_id === null ? tryParse(readings, event, () => ({ event, body: parseEventBody(event.body) })) : [],
  )
  const sources = await EventSources.of(db, events)
  const sites = await EventSites.of(db, bodies, sources.siteIds)
  const keep = (event: StoredEvent, parse: () => ParseResult) => {
    for (const reading of tryParse(readings, event, parse))
      if ('reason' in reading) readings.ignored.push({ event, reason: reading.reason })
      else if ('waiting' in reading) readings.waiting.push({ event, reason: reading.waiting })
      else readings.parsed.push({ event, ...reading })
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
  return event.provider === 'callrail'
    ? parseCallRailEvent(context, event, body, sites)
    : parseFormidableEvent(event, body, sites)
}

function parseCallRailEvent(context: AppContext, event: StoredEvent, body: EventBody, sites: EventSites): ParseResult {
  const found = classifyCallRailEvent(body)
  if (found.kind === 'unknown') throw new UnusableEventError(found.reason)
  if (found.kind === 'none') return { reason: found.reason }
  const site = sites.byCompany(context, event, readCompanyIds(body))
  const incoming =
    found.kind === 'form' ? parseCallRailForm(body, event.received_at) : parseCallRailCall(body, event.received_at)
  const does = found.kind === 'modified' ? 'change' : 'lead'
  return { does, lead_s: 'Callrail', lead_id: toProviderLeadId(found.id), origin: siteOrigin(site.id), incoming, site }
}

function parseFormidableEvent(event: StoredEvent, body: EventBody, sites: EventSites): ParseResult {
  const site = sites.byId(event.clientsite_id)
  const isPing = 'x-hook-test' in event.headers
  const entry = parseFormidableEntry(body, site.id, event.body, event.received_at, isPing)
  if ('reason' in entry) return entry
  // A second event of an entry is an update: the plugin has no other reason to send one.
  const lead_id = toProviderLeadId(entry.id)
  const origin = siteOrigin(site.id)
  return { does: 'change', lead_s: 'Formidable', lead_id, origin, incoming: entry.incoming, site }
}

function parseSourceEvent(
  context: AppContext,
  event: StoredEvent,
  sources: EventSources,
  sites: EventSites,
): ParseResult {
  const body = readSourceBody(event.body, event.headers['content-type'] ?? '')
  const parsed = sources.parse(event, body, context.settings.AGENCY_TIMEZONE)
  if ('waiting' in parsed) return parsed
  const { lead_id, incoming, notify, source } = parsed
  const site = sites.byId(source.clientsite_id)
  const origin = sourceOrigin(source.id)
  return { does: 'change', lead_s: 'Other', lead_id: toProviderLeadId(lead_id), origin, notify, incoming, site }
}

function toProviderLeadId(text: string): string {
  const id = text.replaceAll(/\p{Cc}/gu, '').toWellFormed()
  if (id === '' || id.length > 200) throw new UnusableEventError('The id of the event cannot be used')
  return id
}
