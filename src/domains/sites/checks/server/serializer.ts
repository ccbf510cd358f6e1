import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { isoTimestampSql } from '#core/db/list-sql.ts'
import type { SiteCheckResult } from '../contract.ts'

type CheckedColumns = Record<
  | 'id'
  | 'status'
  | 'http_status_code'
  | 'redirect_url'
  | 'tls_expires_at'
  | 'blocked'
  | 'misses'
  | 'problem'
  | 'checked_at',
  AnyPgColumn
>

type LogColumns = Record<'id' | 'site_id' | 'created_at' | 'status', AnyPgColumn>

/** The result of the last check in a response, with the start of its status. */
export const siteCheckFields = (site: CheckedColumns, log: LogColumns) => ({
  status: sql<SiteCheckResult['status']>`${site.status}`,
  http_status_code: sql<number | null>`${site.http_status_code}`,
  redirect_url: sql<string | null>`${site.redirect_url}`,
  tls_expires_at: isoTimestampSql(site.tls_expires_at),
  blocked: sql<0 | 1>`${site.blocked}::int`,
  missed: sql<0 | 1>`(${site.misses} > 0)::int`.as('missed'),
  problem: sql<string | null>`${site.problem}`,
  checked_at: isoTimestampSql(site.checked_at),
  // The newest log entry has set the current status. A site that was never live has not changed: there is no time to tell.
  status_since: sql<
    string | null
  >`case when exists (select from ${log.site_id.table} where ${log.site_id} = ${site.id} and ${log.status} = 1)
    then (select ${isoTimestampSql(log.created_at)} from ${log.site_id.table}
      where ${log.site_id} = ${site.id} order by ${log.created_at} desc, ${log.id} desc limit 1) end`,
  never_live: neverLiveSql(sql`${site.id}`, log).as('never_live'), // files read rows by the names of their columns
})

/** Whether no check has ever reached the site with this id, qualified by its table. */
export const neverLiveSql = (siteId: SQL, { site_id: { table } }: LogColumns) =>
  sql<
    0 | 1
  >`(select coalesce(max(coalesce(entry.status, 0)) = 0, false)::int from ${table} entry where entry.site_id = ${siteId})`
