import { and, type SQL, sql } from 'drizzle-orm'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { networkSitesTable } from '../schema.ts'

/**
 * Network sites that lead to a host: by a link that is still there, by a redirect, or because it is their own. Which of our sites
 * lead to a client's site is told only to who may see that client site; to others it is as if none did.
 */
export const buildLinksToHostFilter = (me: CurrentUser, host: string): SQL | undefined =>
  and(
    sql`(${networkSitesTable.host} = ${host}
      or lower(${networkSitesTable.redirect_url}) ~ ${`^https?://(www\\.)?${host.replace(/[^a-z0-9-]/g, '\\$&')}([:/?#]|$)`}
      or exists (select from outgoing_links l where l.network_site_id = ${networkSitesTable.id} and l.host = ${host} and l.lost_at is null))`,
    buildHostAccessFilter(me, host),
  )

/** A host that is only client sites' whom they may not see is, for them, nowhere to be found. */
export function buildHostAccessFilter(me: CurrentUser, host: string): SQL | undefined {
  const theirs = inVisibleCampaigns(me, clientSitesTable.campaign_id)
  if (!theirs) return undefined
  return sql`(select coalesce(bool_or(coalesce(${theirs}, false)), true) from ${clientSitesTable} where ${clientSitesTable.host} = ${host} and ${clientSitesTable.deleted_at} is null)`
}
