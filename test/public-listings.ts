import { eq, sql } from 'drizzle-orm'
import { getCid } from '#domains/listings/gmbs/maps-link.ts'
import { gmbLogsTable, gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { addPublicListings, mapsHosts } from '#integrations/fakes/public-listings.ts'
import { startLocalSites } from '#integrations/fakes/sites.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { type App, startApp } from './app.ts'

export const summitListing = {
  title: 'Summit Roofing',
  address: '100 Main St, Austin, TX 78701',
  phone: '(512) 555-0100',
}

/** An app with a fake Google Maps, and the listings that it shows. */
export async function startListingsApp(settings: Record<string, string> = {}) {
  const sites = await startLocalSites({ names: mapsHosts, trusted: true })
  const maps = addPublicListings(sites)
  const app = await startApp({ settings })
  app.context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, sites.world)
  const { db } = app.context
  /** Creates a listing and its public version: none if `seen` is null; `shows` changes it. */
  async function listing(seen: object | null = summitListing, values: Parameters<App['make']['gmb']>[0] = {}) {
    const gmb = await app.make.gmb(values)
    const cid = getCid(gmb.link)!
    const shows = (now: object | null) =>
      now ? maps.known.set(cid, { ...summitListing, ...now }) : maps.known.delete(cid)
    shows(seen)
    return { id: gmb.id, cid, shows }
  }
  /** Removes the listings of earlier tests, and what Google Maps does instead of showing them. */
  async function forget() {
    maps.instead = null
    maps.requested.length = 0
    await db.execute(sql`update campaign_gmbs set deleted_at = now()`)
  }
  const stored = async (id: number) => (await db.select().from(gmbsTable).where(eq(gmbsTable.id, id)))[0]!
  const logOf = async (id: number) =>
    (await db.select().from(gmbLogsTable).where(eq(gmbLogsTable.gmb_id, id)).orderBy(gmbLogsTable.id)).map((line) => [
      line.changed,
      line.old,
      line.new,
      line.username,
    ])
  const hoursToNext = async (id: number) => ((await stored(id)).next_check_at.getTime() - Date.now()) / 3_600_000
  const answering = (status: number, headers: Record<string, string> = {}) => {
    maps.instead = (_request, response) => response.writeHead(status, headers).end()
  }
  const close = async () => {
    await app.close()
    await sites.close()
  }
  return { app, maps, listing, forget, stored, logOf, hoursToNext, answering, close }
}
