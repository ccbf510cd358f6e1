import { type SQL, sql } from 'drizzle-orm'
import { buildSortKeys, matchFilters, selectFields } from '#core/db/field-columns.ts'
import { orderNullsLast } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { matchesIp } from '#domains/sites/checks/server/site-filter.ts'
import { ipsContract } from '../contract.ts'
import { ipFields, ipFilters } from '../fields.ts'
import { ipsTable } from '../schema.ts'

export const ipsHandlers = implementContract(ipsContract, {
  list: ({ db, me, query }) => {
    const counts = { network_sites_count: networkSitesCountSql, client_sites_count: buildClientSitesCount(me) }
    const where = matchFilters(ipFilters, ipsTable, query, { ip: (ip) => matchesIp(ipsTable.ip, ip) })
    const sortKeys = buildSortKeys(ipFields, ipsTable, { ip: sql`(${ipsTable.ip}::inet)`, ...counts })
    const ips = db
      .select(selectFields(ipFields, ipsTable, counts))
      .from(ipsTable)
      .where(where)
      .orderBy(orderNullsLast(sortKeys[query.sort], query.order, query.sort === 'ip' ? ipsTable.id : sortKeys.ip))
    return readPage(ips, db.$count(ipsTable, where), query)
  },
})

const networkSitesCountSql: SQL = sql`(select count(*)::int from network_sites s where s.ip = ips.ip)`

/** Counts only the sites that this user may see. */
function buildClientSitesCount(me: CurrentUser): SQL {
  const visible = inVisibleCampaigns(me, sql`s.campaign_id`) ?? sql`true`
  return sql`(select count(*)::int from client_sites s where s.ip = ips.ip and s.deleted_at is null and ${visible})`
}
