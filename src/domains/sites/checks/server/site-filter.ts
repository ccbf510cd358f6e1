import { isIP } from 'node:net'
import { and, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { contains } from '#core/db/list-sql.ts'

type Columns = { url: AnyPgColumn; ip: AnyPgColumn; status: AnyPgColumn }
type Filters = { url?: string | undefined; ip?: string | undefined; status?: '0' | '1' | 'unknown' | undefined }

/** The filters that lists of sites share. */
export const matchingSites = (site: Columns, { url, ip, status }: Filters): SQL | undefined =>
  and(
    url === undefined ? undefined : contains(site.url, url),
    ip === undefined ? undefined : ipIs(site.ip, ip),
    status === undefined
      ? undefined
      : status === 'unknown'
        ? sql`${site.status} is null`
        : sql`${site.status} = ${Number(status)}`,
  )

/** A whole address means exactly that one; a part of one is looked for. */
export const ipIs = (column: AnyPgColumn, ip: string): SQL => (isIP(ip) ? sql`${column} = ${ip}` : contains(column, ip))
