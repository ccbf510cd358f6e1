import { eq, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys, matchFilters, selectFields } from '#core/db/field-columns.ts'
import { isoTimestampSql, orderNullsLast, textOrderSql } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { networkCategoriesTable } from '#domains/sites/categories/schema.ts'
import { siteCheckFields } from '#domains/sites/checks/server/serializer.ts'
import { siteConditions } from '#domains/sites/checks/server/site-filter.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { nameserverSql } from '#domains/sites/registrations/server/registration-sql.ts'
import type { NetworkSite, NetworkSiteQuery } from '../contract.ts'
import { networkSiteFields, networkSiteFilters } from '../fields.ts'
import { networkSiteLogsTable, networkSitesTable } from '../schema.ts'
import { buildLinksToHostFilter } from './linked-client-sites.ts'

export async function readNetworkSitesPage(db: DbOrTx, me: CurrentUser, query: NetworkSiteQuery) {
  const where = buildNetworkSitesFilter(me, query)
  return readPage(
    selectNetworkSites(db).where(where).orderBy(buildNetworkSitesOrder(query)),
    db.$count(networkSitesTable, where),
    query,
  )
}

/** Returns a query of all matching sites, for a file. */
export const buildNetworkSitesQuery = (db: DbOrTx, me: CurrentUser, query: NetworkSiteQuery): SQL =>
  selectNetworkSites(db).where(buildNetworkSitesFilter(me, query)).orderBy(buildNetworkSitesOrder(query)).getSQL()

/** Reads one site, in the shape of the list. */
export async function readNetworkSite(db: DbOrTx, id: number): Promise<NetworkSite> {
  const [site] = await selectNetworkSites(db).where(eq(networkSitesTable.id, id))
  if (!site) throw notFoundError()
  return site
}

const buildNetworkSitesFilter = (me: CurrentUser, query: NetworkSiteQuery) =>
  matchFilters(networkSiteFilters, networkSitesTable, query, {
    ...siteConditions(networkSitesTable),
    host: (host) => buildLinksToHostFilter(me, host),
  })

const buildNetworkSitesOrder = ({ sort, order }: NetworkSiteQuery) =>
  orderNullsLast(networkSiteSortKeys[sort], order, networkSitesTable.id)

const networkSiteSortKeys = buildSortKeys(networkSiteFields, networkSitesTable, {
  category: textOrderSql(networkCategoriesTable.name),
  registrar: textOrderSql(registrationsTable.registrar),
  registrant: textOrderSql(registrationsTable.registrant),
  ip: sql`(${networkSitesTable.ip}::inet)`,
  registration_date: sql`${registrationsTable.registered_on}`,
  expiration_date: sql`${registrationsTable.expires_on}`,
  nameserver_1: nameserverSql(1),
  nameserver_2: nameserverSql(2),
  reverse_ip: sql`${ipsTable.reverse_ip}`,
  outgoing_links_parsing_error: sql`${networkSitesTable.outgoing_links_parsing_error}`,
})

const selectNetworkSites = (db: DbOrTx) =>
  db
    .select({
      ...selectFields(networkSiteFields, networkSitesTable, {
        category: sql`${networkCategoriesTable.name}`,
        registrar: sql`${registrationsTable.registrar}`,
        registrant: sql`${registrationsTable.registrant}`,
        ip: sql`case when ${networkSitesTable.ip} is not null
          then json_build_object('id', ${ipsTable.id}, 'ip', ${networkSitesTable.ip}) end`,
        registration_date: sql`${registrationsTable.registered_on}::text`,
        expiration_date: sql`${registrationsTable.expires_on}::text`,
        nameserver_1: nameserverSql(1),
        nameserver_2: nameserverSql(2),
        registration_problem: sql`${registrationsTable.problem}`,
        last_google_index: isoTimestampSql(networkSitesTable.last_google_index),
        google_asked_at: isoTimestampSql(networkSitesTable.google_asked_at),
        reverse_ip: sql`${ipsTable.reverse_ip}`,
        crawled_at: isoTimestampSql(networkSitesTable.crawled_at),
        outgoing_links_parsing_failed_at: isoTimestampSql(networkSitesTable.outgoing_links_parsing_failed_at),
      }),
      ...siteCheckFields(networkSitesTable, networkSiteLogsTable),
    })
    .from(networkSitesTable)
    .innerJoin(networkCategoriesTable, eq(networkCategoriesTable.id, networkSitesTable.category_id))
    .leftJoin(registrationsTable, eq(registrationsTable.domain, networkSitesTable.domain))
    .leftJoin(ipsTable, eq(ipsTable.ip, networkSitesTable.ip))
    .$dynamic()
