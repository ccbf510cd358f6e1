import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { contains, folded, ordered } from '#core/db/list-sql.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { isoInstant } from '#domains/sites/checks/server/serializer.ts'
import { networkSites } from '#domains/sites/network/schema.ts'
import { mayKnow } from '#domains/sites/network/server/linked-client-sites.ts'
import type { OutgoingLinksQuery, outgoingLinkSorts } from '../contract.ts'
import { outgoingLinks } from '../schema.ts'

type Page = OutgoingLinksQuery & { page: number; per_page: number }

export async function linksPage(db: Queries, me: Me, query: Page) {
  const where = matching(me, query)
  const [data, [count]] = await Promise.all([
    links(db)
      .where(where)
      .orderBy(orderOf(query))
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(outgoingLinks)
      .innerJoin(networkSites, eq(networkSites.id, outgoingLinks.network_site_id))
      .where(where),
  ])
  return { data, total: count?.total ?? 0 }
}

/** All of them, for a file. */
export const linksQuery = (db: Queries, me: Me, query: OutgoingLinksQuery): SQL =>
  links(db).where(matching(me, query)).orderBy(orderOf(query)).getSQL()

const matching = (me: Me, { q, network_site_q, host, network_site_id }: OutgoingLinksQuery) =>
  and(
    // As the index spells it.
    q === undefined ? undefined : contains(sql`(outgoing_links.url || ' ' || coalesce(anchor, ''))`, q),
    network_site_q === undefined ? undefined : contains(networkSites.url, network_site_q),
    network_site_id === undefined ? undefined : eq(outgoingLinks.network_site_id, network_site_id),
    host === undefined ? undefined : and(eq(outgoingLinks.host, host), mayKnow(me, host)),
  )

const orderOf = ({ sort, order }: OutgoingLinksQuery) => ordered(sortable[sort], order, outgoingLinks.id)

const sortable: Record<(typeof outgoingLinkSorts)[number], SQL> = {
  url: sql`${outgoingLinks.url}`,
  anchor: folded(outgoingLinks.anchor),
  network_site: sql`${networkSites.url}`,
  rel: sql`${outgoingLinks.rel}`,
  type: sql`${outgoingLinks.type}`,
}

const links = (db: Queries) =>
  db
    .select({
      id: outgoingLinks.id,
      url: sql<string>`${outgoingLinks.url}`.as('url'),
      anchor: outgoingLinks.anchor,
      network_site: sql<string>`${networkSites.url}`.as('network_site'),
      network_site_id: outgoingLinks.network_site_id,
      rel: outgoingLinks.rel,
      type: outgoingLinks.type,
      page: outgoingLinks.page,
      first_seen_at: sql<string>`${isoInstant(outgoingLinks.first_seen_at)}`.as('first_seen_at'),
      last_seen_at: sql<string>`${isoInstant(outgoingLinks.last_seen_at)}`.as('last_seen_at'),
      lost_at: isoInstant(outgoingLinks.lost_at).as('lost_at'),
    })
    .from(outgoingLinks)
    .innerJoin(networkSites, eq(networkSites.id, outgoingLinks.network_site_id))
    .$dynamic()
