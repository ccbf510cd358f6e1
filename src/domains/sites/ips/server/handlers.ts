import { and, type SQL, sql } from 'drizzle-orm'
import { containsText, lowerSql, orderNullsLast } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { matchesIp } from '#domains/sites/checks/server/site-filter.ts'
import { ipsContract } from '../contract.ts'
import { ipsTable } from '../schema.ts'

export const ipsHandlers = implementContract(ipsContract, {
  list: ({ db, me, query }) => {
    const where = and(
      query.ip === undefined ? undefined : matchesIp(ipsTable.ip, query.ip),
      ...(['owner', 'country', 'region'] as const).map((name) =>
        query[name] === undefined ? undefined : containsText(ipsTable[name], query[name]),
      ),
    )
    const counts = { network_sites_count: networkSitesCountSql, client_sites_count: buildClientSitesCount(me) }
    const sortable = {
      ip: sql`(${ipsTable.ip}::inet)`,
      owner: lowerSql(ipsTable.owner),
      country: lowerSql(ipsTable.country),
      region: lowerSql(ipsTable.region),
      ...counts,
    }
    const { id, ip, owner, country, region } = ipsTable
    const ips = db
      .select({ id, ip, ...counts, owner, country, region })
      .from(ipsTable)
      .where(where)
      .orderBy(orderNullsLast(sortable[query.sort], query.order, ipsTable.id))
    return readPage(ips, db.$count(ipsTable, where), query)
  },
})

const networkSitesCountSql: SQL<number> = sql`(select count(*)::int from network_sites s where s.ip = ips.ip)`

/** Counts only the sites that this user may see. */
function buildClientSitesCount(me: CurrentUser): SQL<number> {
  const visible = inVisibleCampaigns(me, sql`s.campaign_id`) ?? sql`true`
  return sql`(select count(*)::int from client_sites s where s.ip = ips.ip and s.deleted_at is null and ${visible})`
}
