import type { House } from '#core/app-context.ts'
import type { Queries } from '#core/db/db.ts'
import { companiesOf, kindOf } from '#integrations/callrail/webhook.ts'
import type { inboundEvents } from '../schema.ts'
import { callOf, callRailFormOf } from './callrail-lead.ts'
import { type Site, Sites } from './find-site.ts'
import { entryOf } from './formidable-lead.ts'
import type { Incoming } from './incoming-lead.ts'
import { type Body, parseBody, Unusable } from './parse-body.ts'

export type StoredEvent = Pick<
  typeof inboundEvents.$inferSelect,
  'id' | 'provider' | 'clientsite_id' | 'headers' | 'body' | 'received_at'
>
/** A lead that an event tells of. A `change` may correct what the provider said before; a `lead` said again only fills gaps. */
export type Told = {
  event: StoredEvent
  does: 'lead' | 'change'
  lead_s: 'Callrail' | 'Formidable'
  lead_id: string
  incoming: Incoming
  site: Site
}
/** What events come to: leads, nothing (kept all the same), or a reason why they cannot be used. */
export type Readings = {
  told: Told[]
  ignored: { event: StoredEvent; reason: string }[]
  unusable: { event: StoredEvent; reason: string }[]
}

/** Reads events without changing anything. */
export async function readEvents(db: Queries, house: House, events: StoredEvent[]): Promise<Readings> {
  const readings: Readings = { told: [], ignored: [], unusable: [] }
  const bodies = events.flatMap((event) => attempt(readings, event, () => ({ event, body: parseBody(event.body) })))
  const sites = await Sites.of(db, bodies)
  for (const { event, body } of bodies)
    for (const reading of attempt(readings, event, () => read(house, event, body, sites)))
      if ('reason' in reading) readings.ignored.push({ event, reason: reading.reason })
      else readings.told.push({ event, ...reading })
  return readings
}

function attempt<T>(readings: Readings, event: StoredEvent, look: () => T): T[] {
  try {
    return [look()]
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    readings.unusable.push({ event, reason: error.message })
    return []
  }
}

type Reading = Omit<Told, 'event'> | { reason: string }

function read(house: House, event: StoredEvent, body: Body, sites: Sites): Reading {
  return event.provider === 'callrail' ? readCallRail(house, event, body, sites) : readFormidable(event, body, sites)
}

function readCallRail(house: House, event: StoredEvent, body: Body, sites: Sites): Reading {
  const found = kindOf(body)
  if (found.kind === 'unknown') throw new Unusable(found.reason)
  if (found.kind === 'none') return { reason: found.reason }
  const site = sites.byCompany(house, event, companiesOf(body))
  const incoming = found.kind === 'form' ? callRailFormOf(body, event.received_at) : callOf(body, event.received_at)
  const does = found.kind === 'modified' ? 'change' : 'lead'
  return { does, lead_s: 'Callrail', lead_id: idOf(found.id), incoming, site }
}

function readFormidable(event: StoredEvent, body: Body, sites: Sites): Reading {
  const site = sites.byId(event.clientsite_id)
  const isPing = 'x-hook-test' in event.headers
  const entry = entryOf(body, site.id, event.body, event.received_at, isPing)
  if ('reason' in entry) return entry
  // A second event of an entry is its update: the plugin has no other reason to send one.
  return { does: 'change', lead_s: 'Formidable', lead_id: idOf(entry.id), incoming: entry.incoming, site }
}

function idOf(text: string): string {
  const id = text.replaceAll(/\p{Cc}/gu, '').toWellFormed()
  if (id === '' || id.length > 200) throw new Unusable('The id of the event cannot be used')
  return id
}
