import { isIP } from 'node:net'
import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { containsText } from '#core/db/list-sql.ts'

type SiteColumns = { ip: AnyPgColumn; status: AnyPgColumn }

/** Returns the conditions of the filters that lists of sites share, for `matchFilters`. */
export const siteConditions = (site: SiteColumns) => ({
  ip: (ip: string) => matchesIp(site.ip, ip),
  status: (status: '0' | '1' | 'unknown') =>
    status === 'unknown' ? sql`${site.status} is null` : sql`${site.status} = ${Number(status)}`,
})

/** Matches a complete IP address exactly, and a part of one anywhere. */
export const matchesIp = (column: AnyPgColumn, ip: string): SQL =>
  isIP(ip) ? sql`${column} = ${ip.toLowerCase()}` : containsText(column, ip) // as DNS writes IPv6
