import { sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { getCid } from '#domains/listings/gmbs/maps-link.ts'
import type { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import type { CPanelStandIn } from '#integrations/fakes/cpanel.ts'
import { addPublicListings, mapsHosts } from '#integrations/fakes/public-listings.ts'
import type { RdapStandIn } from '#integrations/fakes/rdap.ts'
import { type LocalSites, type SiteHandler, servePages, startLocalSites } from '#integrations/fakes/sites.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { networkOwners } from '../network.ts'

/** Reserved addresses that the demo's sites resolve to, and this machine, which serves them all. */
export const demoIpRanges = ['127.0.0.0/8', '198.51.100.0/24', '203.0.113.0/24']

/**
 * Simulates the outside world from the demo's database: each of its sites responds on this machine, with the pages and
 * links in the database, the registry knows its domains, and cPanel has the redirected ones. From then on the
 * server reaches nothing else.
 */
export async function simulateOutsideWorld(
  context: AppContext,
  cpanel: CPanelStandIn,
  rdap: RdapStandIn,
): Promise<LocalSites> {
  const sites = await startLocalSites({ names: [...(await readHostNames(context)), ...mapsHosts], trusted: true })
  await addKnownSites(context, sites)
  await publishListings(context, sites)
  await seedRdap(context, rdap)
  await seedCPanel(context, cpanel)
  const resolve = async (name: string) => {
    const redirect = cpanel.redirects.get(name)
    if (redirect) sites.add(name, { '/': redirect })
    else if (!sites.known.has(name) && name.endsWith('.example')) sites.add(name)
    return sites.world.resolve(name)
  }
  context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: demoIpRanges }, { ...sites.world, resolve })
  return sites
}

async function readHostNames({ db }: AppContext): Promise<string[]> {
  const { rows } = await db.execute<{ host: string }>(
    sql`select distinct host from client_sites where url like 'https:%' and host like '%.example'`,
  )
  return rows.map(({ host }) => host)
}

type KnownSite = {
  id: number
  host: string
  ip: string | null
  status: number | null
  blocked: boolean
  redirect_url: string | null
  kind: string
}

async function addKnownSites({ db }: AppContext, sites: LocalSites) {
  const { rows } = await db.execute<KnownSite>(sql`
    select 'network' as kind, id, host, ip, status, blocked, redirect_url from network_sites
    union all select 'client', id, host, ip, status, blocked, redirect_url from client_sites where deleted_at is null`)
  const { rows: links } = await db.execute<{
    network_site_id: number
    page: string
    url: string
    anchor: string | null
    rel: string | null
  }>(sql`select network_site_id, page, url, anchor, rel from outgoing_links where lost_at is null`)
  const byPage = Map.groupBy(links, ({ network_site_id, page }) => `${network_site_id} ${new URL(page).pathname}`)
  for (const site of rows) {
    const linked = (path: string) =>
      (byPage.get(`${site.id} ${path}`) ?? [])
        .map(({ url, anchor, rel }) => `<p><a href="${url}"${rel ? ` rel="${rel}"` : ''}>${anchor ?? ''}</a></p>`)
        .join('\n')
    const isNetwork = site.kind === 'network'
    const local = sites.add(
      site.host,
      {
        '/': `<h1>${site.host}</h1><a href="/about">About</a>${isNetwork ? linked('/') : ''}`,
        '/about': `<h1>About ${site.host}</h1>${isNetwork ? linked('/about') : ''}`,
      },
      site.ip ?? undefined,
    )
    if (site.status === 0) local.answer = respondWith(500)
    if (site.blocked) local.answer = respondWith(403, { 'cf-mitigated': 'challenge' })
    if (site.redirect_url) redirectHomePage(sites, site.host, site.redirect_url)
  }
}

const respondWith =
  (status: number, headers = {}): SiteHandler =>
  (_request, response) =>
    response.writeHead(status, headers).end()

/** Makes a site redirect its first page; its other pages stay. */
function redirectHomePage(sites: LocalSites, host: string, to: string) {
  const local = sites.known.get(host)!
  const { answer } = local
  local.answer = (request, response) =>
    request.url === '/' ? response.writeHead(301, { location: to }).end() : answer(request, response)
  const { hostname, pathname } = new URL(to)
  sites.known.set(hostname, { ...local, answer: servePages({ [pathname]: `<h1>${host}</h1>` }) })
}

/** Serves each public listing as it was last seen; some have a new name since then. */
async function publishListings({ db }: AppContext, sites: LocalSites) {
  const { known } = addPublicListings(sites)
  const { rows } = await db.execute<Pick<typeof gmbsTable.$inferSelect, 'id' | 'link' | 'seen'>>(
    sql`select id, link, seen from campaign_gmbs where seen is not null and gone_at is null and deleted_at is null`,
  )
  for (const { id, link, seen } of rows) {
    const isNew = id % 30 === 7 && !seen?.title?.endsWith(' LLC')
    known.set(getCid(link) ?? '', { ...seen, title: `${seen?.title ?? ''}${isNew ? ' LLC' : ''}` })
  }
}

async function seedRdap({ db }: AppContext, rdap: RdapStandIn) {
  const { rows } = await db.execute<{
    domain: string
    registrar: string
    registrant: string
    registered: string
    expires: string
    nameservers: string[]
  }>(sql`
    select domain, registrar, registrant, registered_on::text as registered, expires_on::text as expires, nameservers
    from registrations where told_by is not null and registered_on is not null`)
  for (const { domain, registrant, ...rest } of rows)
    rdap.domains.set(domain, { ...rest, ...(registrant === 'Redacted' ? {} : { registrant }) })
  for (const [start, keeper] of Object.entries(networkOwners)) rdap.networks.set(start, keeper)
}

async function seedCPanel({ db }: AppContext, cpanel: CPanelStandIn) {
  const { rows } = await db.execute<{ domain: string; redirect_url: string; domainkey: string }>(
    sql`select domain, redirect_url, domainkey from redirect_domains`,
  )
  for (const { domain, redirect_url, domainkey } of rows) {
    cpanel.domains.set(domain, domainkey)
    cpanel.redirects.set(domain, redirect_url)
  }
}
