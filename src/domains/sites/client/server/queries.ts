import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys, matchFilters, selectFields } from '#core/db/field-columns.ts'
import { orderNullsLast, textOrderSql } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { siteCheckFields } from '#domains/sites/checks/server/serializer.ts'
import { siteConditions } from '#domains/sites/checks/server/site-filter.ts'
import type { ClientSite, ClientSiteQuery } from '../contract.ts'
import { clientSiteFields, clientSiteFilters } from '../fields.ts'
import { clientSiteLogsTable, clientSitesTable } from '../schema.ts'
import { buildVisibleClientSitesFilter } from './visibility.ts'

export async function readClientSitesPage(db: DbOrTx, me: CurrentUser, query: ClientSiteQuery) {
  const where = buildClientSitesFilter(me, query)
  return readPage(
    selectClientSites(db).where(where).orderBy(buildClientSitesOrder(query)),
    db.$count(clientSitesTable, where),
    query,
  )
}

/** Returns a query of all matching sites, for a file. */
export const buildClientSitesQuery = (db: DbOrTx, me: CurrentUser, query: ClientSiteQuery): SQL =>
  selectClientSites(db).where(buildClientSitesFilter(me, query)).orderBy(buildClientSitesOrder(query)).getSQL()

/** Reads one site, in the shape of the list. Throws 404 for a site that this user may not see. */
export async function readClientSite(db: DbOrTx, me: CurrentUser, id: number): Promise<ClientSite> {
  const [site] = await selectClientSites(db).where(and(eq(clientSitesTable.id, id), buildVisibleClientSitesFilter(me)))
  if (!site) throw notFoundError()
  return site
}

const buildClientSitesFilter = (me: CurrentUser, query: ClientSiteQuery) =>
  and(
    buildVisibleClientSitesFilter(me),
    matchFilters(clientSiteFilters, clientSitesTable, query, siteConditions(clientSitesTable)),
  )

const buildClientSitesOrder = ({ sort, order }: ClientSiteQuery) =>
  orderNullsLast(clientSiteSortKeys[sort], order, clientSitesTable.id)

const clientSiteSortKeys = buildSortKeys(clientSiteFields, clientSitesTable, {
  campaign: textOrderSql(campaignsTable.name),
  ip: sql`(${clientSitesTable.ip}::inet)`,
})

const selectClientSites = (db: DbOrTx) =>
  db
    .select({
      ...selectFields(clientSiteFields, clientSitesTable, {
        campaign: sql`case when ${campaignsTable.id} is not null
          then json_build_object('id', ${campaignsTable.id}, 'name', ${campaignsTable.name}) end`,
      }),
      ...siteCheckFields(clientSitesTable, clientSiteLogsTable),
    })
    .from(clientSitesTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, clientSitesTable.campaign_id))
    .$dynamic()
