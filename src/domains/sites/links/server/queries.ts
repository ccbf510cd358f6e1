import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { containsText, isoTimestampSql, lowerSql, orderNullsLast } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { buildHostAccessFilter } from '#domains/sites/network/server/linked-client-sites.ts'
import type { OutgoingLinksQuery, outgoingLinkSorts } from '../contract.ts'
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

const buildOutgoingLinksFilter = (me: CurrentUser, { q, network_site_q, host, network_site_id }: OutgoingLinksQuery) =>
  and(
    // The same expression as in the index.
    q === undefined ? undefined : containsText(sql`(outgoing_links.url || ' ' || coalesce(anchor, ''))`, q),
    network_site_q === undefined ? undefined : containsText(networkSitesTable.url, network_site_q),
    network_site_id === undefined ? undefined : eq(outgoingLinksTable.network_site_id, network_site_id),
    host === undefined ? undefined : and(eq(outgoingLinksTable.host, host), buildHostAccessFilter(me, host)),
  )

const buildOutgoingLinksOrder = ({ sort, order }: OutgoingLinksQuery) =>
  orderNullsLast(outgoingLinkSortColumns[sort], order, outgoingLinksTable.id)

const outgoingLinkSortColumns: Record<(typeof outgoingLinkSorts)[number], SQL> = {
  url: sql`${outgoingLinksTable.url}`,
  anchor: lowerSql(outgoingLinksTable.anchor),
  network_site: sql`${networkSitesTable.url}`,
  rel: sql`${outgoingLinksTable.rel}`,
  type: sql`${outgoingLinksTable.type}`,
}

const selectOutgoingLinks = (db: DbOrTx) =>
  db
    .select({
      id: outgoingLinksTable.id,
      url: sql<string>`${outgoingLinksTable.url}`.as('url'),
      anchor: outgoingLinksTable.anchor,
      network_site: sql<string>`${networkSitesTable.url}`.as('network_site'),
      network_site_id: outgoingLinksTable.network_site_id,
      rel: outgoingLinksTable.rel,
      type: outgoingLinksTable.type,
      page: outgoingLinksTable.page,
      first_seen_at: sql<string>`${isoTimestampSql(outgoingLinksTable.first_seen_at)}`.as('first_seen_at'),
      last_seen_at: sql<string>`${isoTimestampSql(outgoingLinksTable.last_seen_at)}`.as('last_seen_at'),
      lost_at: isoTimestampSql(outgoingLinksTable.lost_at).as('lost_at'),
    })
    .from(outgoingLinksTable)
    .innerJoin(networkSitesTable, eq(networkSitesTable.id, outgoingLinksTable.network_site_id))
    .$dynamic()
