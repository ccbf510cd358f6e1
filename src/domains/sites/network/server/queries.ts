import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { folded, ordered } from '#core/db/list-sql.ts'
import { notFound } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { networkCategories } from '#domains/sites/categories/schema.ts'
import { checkedFields, isoInstant } from '#domains/sites/checks/server/serializer.ts'
import { matchingSites } from '#domains/sites/checks/server/site-filter.ts'
import { ips } from '#domains/sites/ips/schema.ts'
import { registrations } from '#domains/sites/registrations/schema.ts'
import type { NetworkSite, NetworkSiteQuery, networkSiteSorts } from '../contract.ts'
import { networkSites } from '../schema.ts'
import { leadingTo } from './linked-client-sites.ts'

export async function sitesPage(db: Queries, me: Me, query: NetworkSiteQuery) {
  const where = matching(me, query)
  const [data, total] = await Promise.all([
    sites(db)
      .where(where)
      .orderBy(orderOf(query))
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page),
    db.$count(networkSites, where),
  ])
  return { data, total }
}

/** All of them, for a file. */
export const sitesQuery = (db: Queries, me: Me, query: NetworkSiteQuery): SQL =>
  sites(db).where(matching(me, query)).orderBy(orderOf(query)).getSQL()

/** One, in the shape of the list. */
export async function readSite(db: Queries, id: number): Promise<NetworkSite> {
  const [site] = await sites(db).where(eq(networkSites.id, id))
  if (!site) throw notFound()
  return site
}

const matching = (me: Me, query: NetworkSiteQuery) =>
  and(
    matchingSites(networkSites, query),
    query.category === undefined ? undefined : eq(networkSites.category_id, query.category),
    query.host === undefined ? undefined : leadingTo(me, query.host),
  )

const orderOf = ({ sort, order }: NetworkSiteQuery) => ordered(sortable[sort], order, networkSites.id)

const nameserver = (place: number) => sql<string | null>`${registrations.nameservers}[${sql.raw(String(place))}]`

const sortable: Record<(typeof networkSiteSorts)[number], SQL> = {
  url: sql`${networkSites.url}`,
  category: folded(networkCategories.name),
  status: sql`${networkSites.status}`,
  http_status_code: sql`${networkSites.http_status_code}`,
  registrar: folded(registrations.registrar),
  registrant: folded(registrations.registrant),
  ip: sql`(${networkSites.ip}::inet)`,
  registration_date: sql`${registrations.registered_on}`,
  expiration_date: sql`${registrations.expires_on}`,
  nameserver_1: nameserver(1),
  nameserver_2: nameserver(2),
  last_google_index: sql`${networkSites.last_google_index}`,
  redirect_url: sql`${networkSites.redirect_url}`,
  reverse_ip: sql`${ips.reverse_ip}`,
  outgoing_links_parsing_error: sql`${networkSites.outgoing_links_parsing_error}`,
}

const sites = (db: Queries) =>
  db
    .select({
      id: networkSites.id,
      url: networkSites.url,
      category_id: networkSites.category_id,
      category: networkCategories.name,
      ...checkedFields(networkSites),
      registrar: registrations.registrar,
      registrant: registrations.registrant,
      ip: sql<NetworkSite['ip']>`case when ${networkSites.ip} is not null
        then json_build_object('id', ${ips.id}, 'ip', ${networkSites.ip}) end`.as('ip'),
      registration_date: sql<string | null>`${registrations.registered_on}::text`.as('registration_date'),
      expiration_date: sql<string | null>`${registrations.expires_on}::text`.as('expiration_date'),
      nameserver_1: nameserver(1).as('nameserver_1'),
      nameserver_2: nameserver(2).as('nameserver_2'),
      registration_problem: sql<string | null>`${registrations.problem}`.as('registration_problem'),
      last_google_index: isoInstant(networkSites.last_google_index).as('last_google_index'),
      google_asked_at: isoInstant(networkSites.google_asked_at).as('google_asked_at'),
      reverse_ip: ips.reverse_ip,
      crawled_at: isoInstant(networkSites.crawled_at).as('crawled_at'),
      outgoing_links_parsing_error: networkSites.outgoing_links_parsing_error,
      outgoing_links_parsing_failed_at: isoInstant(networkSites.outgoing_links_parsing_failed_at).as(
        'outgoing_links_parsing_failed_at',
      ),
    })
    .from(networkSites)
    .innerJoin(networkCategories, eq(networkCategories.id, networkSites.category_id))
    .leftJoin(registrations, eq(registrations.domain, networkSites.domain))
    .leftJoin(ips, eq(ips.ip, networkSites.ip))
    .$dynamic()
