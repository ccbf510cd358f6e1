import { getCid } from '#domains/listings/gmbs/maps-link.ts'
import { addPublicListings, mapsHosts, type PublicListingsStandIn } from '#integrations/fakes/public-listings.ts'
import { startLocalSites } from '#integrations/fakes/sites.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { type App, startApp } from './app.ts'

/** An app with a fake Google Maps, and the listings that it shows. */
export type ListingsApp = { app: App; maps: PublicListingsStandIn; close: () => Promise<void> }

export async function startListingsApp(settings: Record<string, string> = {}): Promise<ListingsApp> {
  const sites = await startLocalSites({ names: mapsHosts, trusted: true })
  const maps = addPublicListings(sites)
  const app = await startApp({ settings })
  app.context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, sites.world)
  const close = async () => {
    await app.close()
    await sites.close()
  }
  return { app, maps, close }
}

export const summitListing = {
  title: 'Summit Roofing',
  address: '100 Main St, Austin, TX 78701',
  phone: '(512) 555-0100',
}

/** Creates a listing and its public version: none if `seen` is null; `shows` changes it. */
export async function makePublicListing(
  { app, maps }: Pick<ListingsApp, 'app' | 'maps'>,
  seen: object | null = summitListing,
  values: Parameters<App['make']['gmb']>[0] = {},
) {
  const gmb = await app.make.gmb(values)
  const cid = getCid(gmb.link)!
  const shows = (now: object | null) =>
    now ? maps.known.set(cid, { ...summitListing, ...now }) : maps.known.delete(cid)
  shows(seen)
  return { id: gmb.id, cid, shows }
}
