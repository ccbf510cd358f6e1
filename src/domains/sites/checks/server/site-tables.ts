import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { networkSiteLogsTable, networkSitesTable } from '#domains/sites/network/schema.ts'

/** The tables of each kind of checked site. */
export const siteTables = {
  client: { sites: clientSitesTable, logs: clientSiteLogsTable },
  network: { sites: networkSitesTable, logs: networkSiteLogsTable },
} as const
export type SiteKind = keyof typeof siteTables

/** A site to check. */
export type DueSite = { kind: SiteKind; id: number; url: string; host: string }
