import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys, matchFilters, selectFields } from '#core/db/field-columns.ts'
import { containsFolded, isoTimestampSql, orderNullsLast } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { buildHostAccessFilter } from '#domains/sites/network/server/linked-client-sites.ts'
import type { OutgoingLinksQuery } from '../contract.ts'
import { outgoingLinkFields, outgoingLinkFilters } from '../fields.ts'
import { outgoingLinksTable } from '../schema.ts'

type LinksPageQuery = OutgoingLinksQuery & { page: number; per_page: number }

export async function readOutgoingLinksPage(db: DbOrTx, me: CurrentUser, query: LinksPageQuery) {
  const where = buildOutgoingLinksFilter(me, query)
  const isItsSite = eq(networkSitesTable.id, outgoingLinksTable.network_site_id)
  const joined = sql`${outgoingLinksTable} join ${networkSitesTable} on ${isItsSite}`
  const links = selectOutgoingLinks(db).where(where).orderBy(buildOutgoingLinksOrder(query))
  return readPage(links, db.$count(joined, where), query)
}

/** Returns a query of all matching links, for a file. */
export const buildOutgoingLinksQuery = (db: DbOrTx, me: CurrentUser, query: OutgoingLinksQuery): SQL =>
  selectOutgoingLinks(db).where(buildOutgoingLinksFilter(me, query)).orderBy(buildOutgoingLinksOrder(query)).getSQL()

const buildOutgoingLinksFilter = (me: CurrentUser, query: OutgoingLinksQuery) =>
  matchFilters(outgoingLinkFilters, outgoingLinksTable, query, {
    // The same expression as in the index.
    q: (q) => containsFolded(sql`(outgoing_links.url || ' ' || coalesce(anchor, ''))`, q),
    network_site_q: (q) => containsFolded(networkSitesTable.url, q),
    host: (host) => and(eq(outgoingLinksTable.host, host), buildHostAccessFilter(me, host)),
  })

const buildOutgoingLinksOrder = ({ sort, order }: OutgoingLinksQuery) =>
  orderNullsLast(outgoingLinkSortKeys[sort], order, outgoingLinksTable.id)

const outgoingLinkSortKeys = buildSortKeys(outgoingLinkFields, outgoingLinksTable, {
  network_site: sql`${networkSitesTable.url}`,
  rel: sql`${outgoingLinksTable.rel}`,
  type: sql`${outgoingLinksTable.type}`,
})

const selectOutgoingLinks = (db: DbOrTx) =>
  db
    .select(
      selectFields(outgoingLinkFields, outgoingLinksTable, {
        network_site: sql`${networkSitesTable.url}`,
        first_seen_at: isoTimestampSql(outgoingLinksTable.first_seen_at),
        last_seen_at: isoTimestampSql(outgoingLinksTable.last_seen_at),
        lost_at: isoTimestampSql(outgoingLinksTable.lost_at),
      }),
    )
    .from(outgoingLinksTable)
    .innerJoin(networkSitesTable, eq(networkSitesTable.id, outgoingLinksTable.network_site_id))
    .$dynamic()
