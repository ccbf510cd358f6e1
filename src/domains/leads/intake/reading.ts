import { and, eq, inArray, isNull } from 'drizzle-orm'
import { campaigns } from '#domains/campaigns/table.ts'
import { clientSites } from '#domains/client-sites/table.ts'
import { companiesOf, isSignedWith, kindOf } from '#providers/callrail.ts'
import type { Queries } from '#server/db.ts'
import type { House } from '#server/house.ts'
import { callOf, callRailFormOf } from './callrail-lead.ts'
import { entryOf } from './formidable-lead.ts'
import type { Incoming } from './incoming.ts'
import { type Body, parseBody, Unusable } from './parse.ts'
import { sitesOf } from './proof.ts'
import type { inboundEvents } from './table.ts'
import type { WorkingHours } from './working-hours.ts'

export type StoredEvent = Pick<
  typeof inboundEvents.$inferSelect,
  'id' | 'provider' | 'clientsite_id' | 'headers' | 'body' | 'received_at'
>
/** The client site of an event, with its campaign's working hours; a site without a campaign has none. */
export type Site = { id: number; campaign_id: number | null; hours: WorkingHours | null }

/** What an event asks for. A `change` may correct what the provider said before; a `lead` said again only fills gaps. */
export type Asked = {
  does: 'lead' | 'change'
  lead_s: 'Callrail' | 'Formidable'
  lead_id: string
  incoming: Incoming
  site: Site
}
export type Reading = Asked | { does: 'nothing'; reason: string }

/** Reads an event; throws Unusable where it cannot be understood or belongs to nobody. */
export function readEvent(db: Queries, house: House, event: StoredEvent): Promise<Reading> {
  const body = parseBody(event.body)
  return event.provider === 'callrail' ? readCallRail(db, house, event, body) : readFormidable(db, event, body)
}

async function readCallRail(db: Queries, house: House, event: StoredEvent, body: Body): Promise<Reading> {
  const found = kindOf(body)
  if (found.kind === 'unknown') throw new Unusable(found.reason)
  if (found.kind === 'none') return { does: 'nothing', reason: found.reason }
  const site = await siteOfCompany(db, house, event, companiesOf(body))
  const incoming = found.kind === 'form' ? callRailFormOf(body, event.received_at) : callOf(body, event.received_at)
  return {
    does: found.kind === 'modified' ? 'change' : 'lead',
    lead_s: 'Callrail',
    lead_id: idOf(found.id),
    incoming,
    site,
  }
}

async function readFormidable(db: Queries, event: StoredEvent, body: Body): Promise<Reading> {
  const site = await siteBy(db, event.clientsite_id === null ? [] : [event.clientsite_id])
  if (!site) throw new Unusable('The client site of this form is gone')
  const isPing = 'x-hook-test' in event.headers
  const entry = entryOf(body, site.id, event.body, event.received_at, isPing)
  if ('reason' in entry) return { does: 'nothing', reason: entry.reason }
  // A second event of an entry is its update: the plugin has no other reason to send one.
  return { does: 'change', lead_s: 'Formidable', lead_id: idOf(entry.id), incoming: entry.incoming, site }
}

/**
 * The site of a company. It is the one whose key let the event in, or one whose key signed it: an event that was kept before
 * its company was entered must not become another company's lead when it is replayed.
 */
async function siteOfCompany(db: Queries, house: House, event: StoredEvent, companies: string[]): Promise<Site> {
  const named = companies.join(' or ') || 'none'
  const candidates = await sitesOf(db, house, companies)
  if (candidates.length === 0) throw new Unusable(`No client site has the CallRail company ${named}`)
  const signature = event.headers.signature ?? ''
  const proven = candidates.filter(
    ({ id, key }) => id === event.clientsite_id || (key !== undefined && isSignedWith(key, event.body, signature)),
  )
  if (proven.length === 0) throw new Unusable(`Signed with the key of another company than ${named}`)
  const site = await siteBy(
    db,
    proven.map(({ id }) => id),
  )
  if (!site) throw new Unusable(`No client site has the CallRail company ${named}`)
  return site
}

async function siteBy(db: Queries, ids: number[]): Promise<Site | null> {
  if (ids.length === 0) return null
  const [found] = await db
    .select({
      id: clientSites.id,
      campaign_id: clientSites.campaign_id,
      schedule: campaigns.schedule,
      timezone: campaigns.timezone,
    })
    .from(clientSites)
    .leftJoin(campaigns, eq(campaigns.id, clientSites.campaign_id))
    .where(and(inArray(clientSites.id, ids), isNull(clientSites.deleted_at)))
    .orderBy(clientSites.id)
    .limit(1)
  if (!found) return null
  const { id, campaign_id, schedule, timezone } = found
  return { id, campaign_id, hours: schedule && timezone ? { schedule, timezone } : null }
}

function idOf(text: string): string {
  const id = text.replaceAll(/\p{Cc}/gu, '').toWellFormed()
  if (id === '' || id.length > 200) throw new Unusable('The id of the event cannot be used')
  return id
}
