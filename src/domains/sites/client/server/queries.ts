import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { folded, ordered } from '#core/db/list-sql.ts'
import { notFound } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { checkedFields } from '#domains/sites/checks/server/serializer.ts'
import { matchingSites } from '#domains/sites/checks/server/site-filter.ts'
import type { ClientSite, ClientSiteQuery } from '../contract.ts'
import { clientSites } from '../schema.ts'
import { visibleTo } from './visibility.ts'

export async function sitesPage(db: Queries, me: Me, asked: ClientSiteQuery) {
  const where = matching(me, asked)
  const [data, total] = await Promise.all([
    sites(db)
      .where(where)
      .orderBy(orderOf(asked))
      .limit(asked.per_page)
      .offset((asked.page - 1) * asked.per_page),
    db.$count(clientSites, where),
  ])
  return { data, total }
}

/** All of them, for a file. */
export const sitesQuery = (db: Queries, me: Me, asked: ClientSiteQuery): SQL =>
  sites(db).where(matching(me, asked)).orderBy(orderOf(asked)).getSQL()

/** One, in the shape of the list. Throws 404 for what this person does not see. */
export async function readSite(db: Queries, me: Me, id: number): Promise<ClientSite> {
  const [site] = await sites(db).where(and(eq(clientSites.id, id), visibleTo(me)))
  if (!site) throw notFound()
  return site
}

const matching = (me: Me, asked: ClientSiteQuery) =>
  and(
    visibleTo(me),
    matchingSites(clientSites, asked),
    asked.campaign_id === undefined ? undefined : eq(clientSites.campaign_id, asked.campaign_id),
  )

const orderOf = ({ sort, order }: ClientSiteQuery) => ordered(sortable[sort], order, clientSites.id)

const sortable = {
  url: clientSites.url,
  campaign: folded(campaigns.name),
  status: clientSites.status,
  ip: sql`(${clientSites.ip}::inet)`,
}

const sites = (db: Queries) =>
  db
    .select({
      id: clientSites.id,
      url: clientSites.url,
      campaign: sql<ClientSite['campaign']>`case when ${campaigns.id} is not null
        then json_build_object('id', ${campaigns.id}, 'name', ${campaigns.name}) end`.as('campaign'),
      callrail_campaign_identifier: clientSites.callrail_campaign_identifier,
      ip: clientSites.ip,
      ...checkedFields(clientSites),
    })
    .from(clientSites)
    .leftJoin(campaigns, eq(campaigns.id, clientSites.campaign_id))
    .$dynamic()
