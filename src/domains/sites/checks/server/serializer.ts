import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { isoTimestampSql } from '#core/db/list-sql.ts'
import type { SiteCheckResult } from '../contract.ts'

type CheckedColumns = Record<
  'status' | 'http_status_code' | 'redirect_url' | 'tls_expires_at' | 'blocked' | 'problem' | 'checked_at',
  AnyPgColumn
>

/** The result of the last check, as it is sent. */
export const siteCheckFields = (site: CheckedColumns) => ({
  status: sql<SiteCheckResult['status']>`${site.status}`,
  http_status_code: sql<number | null>`${site.http_status_code}`,
  redirect_url: sql<string | null>`${site.redirect_url}`,
  tls_expires_at: isoTimestampSql(site.tls_expires_at),
  blocked: sql<0 | 1>`${site.blocked}::int`,
  problem: sql<string | null>`${site.problem}`,
  checked_at: isoTimestampSql(site.checked_at),
})
