import { and, type SQL, sql } from 'drizzle-orm'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { networkSitesTable } from '../schema.ts'

/**
 * Matches network sites that lead to a host: by a link that still exists, by a redirect, or because it is their own. For a client's
 * site they are only shown to users who may see that client site; others find none.
 */
export const buildLinksToHostFilter = (me: CurrentUser, host: string): SQL | undefined =>
  and(
    sql`(${networkSitesTable.host} = ${host}
      or lower(${networkSitesTable.redirect_url}) ~ ${`^https?://(www\\.)?${host.replace(/[^a-z0-9-]/g, '\\$&')}([:/?#]|$)`}
      or exists (select from outgoing_links l where l.network_site_id = ${networkSitesTable.id} and l.host = ${host} and l.lost_at is null))`,
    buildHostAccessFilter(me, host),
  )

/** Hides a host whose client sites are all invisible to this user. */
export function buildHostAccessFilter(me: CurrentUser, host: string): SQL | undefined {
  const theirs = inVisibleCampaigns(me, clientSitesTable.campaign_id)
  if (!theirs) return undefined
  return sql`(select coalesce(bool_or(coalesce(${theirs}, false)), true) from ${clientSitesTable} where ${clientSitesTable.host} = ${host} and ${clientSitesTable.deleted_at} is null)`
}
