import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { lowerSql, orderNullsLast } from '#core/db/list-sql.ts'
import { notFoundError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { siteCheckFields } from '#domains/sites/checks/server/serializer.ts'
import { matchesSiteFilters } from '#domains/sites/checks/server/site-filter.ts'
import type { ClientSite, ClientSiteQuery } from '../contract.ts'
import { clientSitesTable } from '../schema.ts'
import { buildVisibleClientSitesFilter } from './visibility.ts'

export async function readClientSitesPage(db: DbOrTx, me: CurrentUser, asked: ClientSiteQuery) {
  const where = buildClientSitesFilter(me, asked)
  const [data, total] = await Promise.all([
    selectClientSites(db)
      .where(where)
      .orderBy(buildClientSitesOrder(asked))
      .limit(asked.per_page)
      .offset((asked.page - 1) * asked.per_page),
    db.$count(clientSitesTable, where),
  ])
  return { data, total }
}

/** All of them, for a file. */
export const buildClientSitesQuery = (db: DbOrTx, me: CurrentUser, asked: ClientSiteQuery): SQL =>
  selectClientSites(db).where(buildClientSitesFilter(me, asked)).orderBy(buildClientSitesOrder(asked)).getSQL()

/** One, in the shape of the list. Throws 404 for what this person does not see. */
export async function readClientSite(db: DbOrTx, me: CurrentUser, id: number): Promise<ClientSite> {
  const [site] = await selectClientSites(db).where(and(eq(clientSitesTable.id, id), buildVisibleClientSitesFilter(me)))
  if (!site) throw notFoundError()
  return site
}

const buildClientSitesFilter = (me: CurrentUser, asked: ClientSiteQuery) =>
  and(
    buildVisibleClientSitesFilter(me),
    matchesSiteFilters(clientSitesTable, asked),
    asked.campaign_id === undefined ? undefined : eq(clientSitesTable.campaign_id, asked.campaign_id),
  )

const buildClientSitesOrder = ({ sort, order }: ClientSiteQuery) =>
  orderNullsLast(clientSiteSortColumns[sort], order, clientSitesTable.id)

const clientSiteSortColumns = {
  url: clientSitesTable.url,
  campaign: lowerSql(campaignsTable.name),
  status: clientSitesTable.status,
  ip: sql`(${clientSitesTable.ip}::inet)`,
}

const selectClientSites = (db: DbOrTx) =>
  db
    .select({
      id: clientSitesTable.id,
      url: clientSitesTable.url,
      campaign: sql<ClientSite['campaign']>`case when ${campaignsTable.id} is not null
        then json_build_object('id', ${campaignsTable.id}, 'name', ${campaignsTable.name}) end`.as('campaign'),
      callrail_campaign_identifier: clientSitesTable.callrail_campaign_identifier,
      ip: clientSitesTable.ip,
      ...siteCheckFields(clientSitesTable),
    })
    .from(clientSitesTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, clientSitesTable.campaign_id))
    .$dynamic()
