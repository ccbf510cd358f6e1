import { isIP } from 'node:net'
import { and, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { containsText } from '#core/db/list-sql.ts'

type SiteColumns = { url: AnyPgColumn; ip: AnyPgColumn; status: AnyPgColumn }
type SiteFilters = { url?: string | undefined; ip?: string | undefined; status?: '0' | '1' | 'unknown' | undefined }

/** Applies the filters shared by lists of sites. */
export const matchesSiteFilters = (site: SiteColumns, { url, ip, status }: SiteFilters): SQL | undefined =>
  and(
    url === undefined ? undefined : containsText(site.url, url),
    ip === undefined ? undefined : matchesIp(site.ip, ip),
    status === undefined
      ? undefined
      : status === 'unknown'
        ? sql`${site.status} is null`
        : sql`${site.status} = ${Number(status)}`,
  )

/** Matches a complete IP address exactly, and a part of one anywhere. */
export const matchesIp = (column: AnyPgColumn, ip: string): SQL =>
  isIP(ip) ? sql`${column} = ${ip.toLowerCase()}` : containsText(column, ip) // as DNS writes IPv6
