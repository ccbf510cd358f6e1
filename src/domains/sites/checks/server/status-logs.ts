import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { SiteLog } from '../contract.ts'
import { type SiteKind, siteTables } from './site-tables.ts'

type LogsPageQuery = { page: number; per_page: number; order: 'asc' | 'desc' }

/** Reads a page of a site's status changes. The caller ensures that the user may see the site. */
export async function readSiteLogs(
  db: DbOrTx,
  kind: SiteKind,
  siteId: number,
  { page, per_page, order }: LogsPageQuery,
) {
  const { logs } = siteTables[kind]
  const direction = sql.raw(order)
  const rows = db.execute<SiteLog>(sql`
    select id, status, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at,
      (max(coalesce(status, 0)) over (order by created_at, id) = 0)::int as never_live
    from ${logs}
    where site_id = ${siteId} order by created_at ${direction}, id ${direction} limit ${per_page} offset ${(page - 1) * per_page}`)
  const count = db.execute<{ total: number }>(sql`select count(*)::int as total from ${logs} where site_id = ${siteId}`)
  const [found, counted] = await Promise.all([rows, count])
  return { data: found.rows, total: counted.rows[0]?.total ?? 0 }
}
