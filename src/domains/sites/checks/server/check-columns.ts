import { type SQL, sql } from 'drizzle-orm'
import { boolean, integer, smallint, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'

/** The columns of checked sites. */
export const siteCheckColumns = () => ({
  url: text().notNull(),
  /** The host without `www.`: checks send it one request at a time. */
  host: text().generatedAlwaysAs(
    (): SQL => sql`lower(substring(url from '^[a-zA-Z]+://(?:[^/?#@]*@)?(?:[wW]{3}\\.)?(\\[[^]]*\\]|[^/:?#]+)'))`,
  ),
  /** 1 live, 0 offline, null not checked yet. */
  status: smallint(),
  /** Of the last answer, after redirects. */
  http_status_code: smallint(),
  redirect_url: text(),
  /** The last resolved IP address. */
  ip: text(),
  tls_expires_at: timestampColumn(),
  blocked: boolean().notNull().default(false),
  /** Since when every check was kept out. */
  blocked_since: timestampColumn(),
  problem: text(),
  /** Whether the last check failed in the network's own ways: no name, no connection, no answer. */
  unreached: boolean().notNull().default(false),
  /** The number of failed checks in a row. */
  misses: smallint().notNull().default(0),
  checked_at: timestampColumn(),
  next_check_at: timestampColumn().notNull().default(sql`now()`),
})

/** Resets the results of checks: a new URL is another site to them. */
export const uncheckedValues = {
  status: null,
  http_status_code: null,
  redirect_url: null,
  ip: null,
  tls_expires_at: null,
  blocked: false,
  blocked_since: null,
  problem: null,
  unreached: false,
  misses: 0,
  checked_at: null,
  next_check_at: sql`now()`,
}

/** A row for each change of a site's status. */
export const siteLogColumns = () => ({
  id: identityColumn(),
  site_id: integer().notNull(),
  status: smallint(),
  created_at: timestampNowColumn(),
})
