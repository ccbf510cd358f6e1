import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { siteCheckColumns, siteLogColumns } from '../checks/server/check-columns.ts'

/** A client's website; calls and forms arrive through it and belong to its campaign. */
export const clientSitesTable = pgTable(
  'client_sites',
  {
    id: identityColumn(),
    /** Null: only super admins see the site and its leads, until it is assigned. */
    campaign_id: integer().references(() => campaignsTable.id),
    /** CallRail's company id, as COM… or as the older number. */
    callrail_campaign_identifier: text(),
    /** The company's webhook signing key, encrypted; if null, the setting CALLRAIL_SIGNING_KEY applies. */
    callrail_signing_key: byteaColumn(),
    /** The key that the site's forms send, encrypted so that it can be shown again. */
    hook_key: byteaColumn(),
    /** The registered domain, shop.example for www.shop.example; see `registrations`. Null until it is determined. */
    domain: text(),
    ...siteCheckColumns(),
    /** Of the form: checks do not count. */
    version: integer().notNull().default(1),
    created_at: timestampNowColumn(),
    deleted_at: timestampColumn(),
  },
  (site) => [
    index('client_sites_campaign').on(site.campaign_id),
    uniqueIndex('client_sites_callrail').on(site.callrail_campaign_identifier).where(sql`${site.deleted_at} is null`),
    index('client_sites_due').on(site.next_check_at).where(sql`deleted_at is null`),
    index('client_sites_domain').on(site.domain).where(sql`deleted_at is null`),
    index('client_sites_ip').on(site.ip).where(sql`deleted_at is null`),
    index('client_sites_host').on(site.host).where(sql`deleted_at is null`),
  ],
)

export const clientSiteLogsTable = pgTable('client_site_logs', siteLogColumns(), (log) => [
  foreignKey({ columns: [log.site_id], foreignColumns: [clientSitesTable.id] }).onDelete('cascade'),
  index('client_site_logs_site').on(log.site_id, log.created_at, log.id, log.status),
])

/** The contexts that the encrypted values of a site are bound to. */
export const hookKeyAad = (id: number) => `client_sites.hook_key:${id}`
export const signingKeyAad = (id: number) => `client_sites.callrail_signing_key:${id}`
