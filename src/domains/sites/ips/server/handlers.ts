import { and, type SQL, sql } from 'drizzle-orm'
import { contains, folded, ordered } from '#core/db/list-sql.ts'
import { implement } from '#core/http/handle.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { ipIs } from '#domains/sites/checks/server/site-filter.ts'
import { ips as contract } from '../contract.ts'
import { ips } from '../schema.ts'

export const ipsCalls = implement(contract, {
  list: async ({ db, me, query }) => {
    const where = and(
      query.ip === undefined ? undefined : ipIs(ips.ip, query.ip),
      ...(['owner', 'country', 'region'] as const).map((name) =>
        query[name] === undefined ? undefined : contains(ips[name], query[name]),
      ),
    )
    const counts = { network_sites_count: ofNetworkSites, client_sites_count: ofClientSites(me) }
    const sortable = {
      ip: sql`(${ips.ip}::inet)`,
      owner: folded(ips.owner),
      country: folded(ips.country),
      region: folded(ips.region),
      ...counts,
    }
    const { id, ip, owner, country, region } = ips
    const [data, total] = await Promise.all([
      db
        .select({ id, ip, ...counts, owner, country, region })
        .from(ips)
        .where(where)
        .orderBy(ordered(sortable[query.sort], query.order, ips.id))
        .limit(query.per_page)
        .offset((query.page - 1) * query.per_page),
      db.$count(ips, where),
    ])
    return { data, total }
  },
})

const ofNetworkSites: SQL<number> = sql`(select count(*)::int from network_sites s where s.ip = ips.ip)`

/** Of sites that the reader cannot see, not even the number is told. */
function ofClientSites(me: Me): SQL<number> {
  const visible = inTheirCampaigns(me, sql`s.campaign_id`) ?? sql`true`
  return sql`(select count(*)::int from client_sites s where s.ip = ips.ip and s.deleted_at is null and ${visible})`
}
