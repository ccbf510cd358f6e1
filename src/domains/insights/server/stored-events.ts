import { type SQL, sql } from 'drizzle-orm'
import { auditTable } from '#core/db/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { happeningsTable } from '#domains/happenings/schema.ts'
import { keywordsTable } from '#domains/leads/spam/schema.ts'
import { gmbLogsTable, gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'

/** Formats a time as in facts. */
export const isoSql = (column: unknown) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const liveSitesSql = sql`(select id, host, campaign_id from ${clientSitesTable}
  where host is not null and campaign_id is not null and deleted_at is null)`

/** The events of campaigns, one query per kind. */
export const eventQueries = (timeZone: string) => [
  sql`
    select 'event' as kind, ${clientSitesTable.campaign_id} as campaign, log.site_id as site, 'site_offline' as event,
      ${isoSql(sql`log.created_at`)} as at, ${isoSql(sql`log.until`)} as until, log.site_id as subject_id, ${clientSitesTable.url} as title
    from (select site_id, status, created_at, lead(created_at) over (partition by site_id order by created_at, id) as until
      from ${clientSiteLogsTable}) log
    join ${clientSitesTable} on ${clientSitesTable.id} = log.site_id
    where log.status = 0 and ${clientSitesTable.campaign_id} is not null`,
  sql`
    select 'event' as kind, ${gmbsTable.campaign_id} as campaign, null::int as site, 'listing_suspended' as event,
      ${isoSql(sql`log.created_at`)} as at, ${isoSql(sql`log.until`)} as until, ${gmbsTable.id} as subject_id, ${gmbsTable.title} as title
    from (select gmb_id, new, created_at, lead(created_at) over (partition by gmb_id order by created_at, id) as until
      from ${gmbLogsTable} where changed = 'Status') log
    join ${gmbsTable} on ${gmbsTable.id} = log.gmb_id
    where ${gmbsTable.campaign_id} is not null and log.new = 'Suspended'`,
  // A restored link has a happening for its loss; a link lost before happenings were recorded only has the day.
  sql`
    select 'event' as kind, site.campaign_id as campaign, site.id as site, 'link_lost' as event, ${isoSql(sql`lost.at`)} as at,
      ${isoSql(sql`lost.until`)} as until, link.id::int as subject_id, link.url as title
    from (
      select distinct subject_id, at, (select min(found.at) from ${happeningsTable} found where found.subject_type = 'link'
        and found.subject_id = lost.subject_id and found.kind = 'link_found' and found.id > lost.id) as until
      from ${happeningsTable} lost where subject_type = 'link' and kind = 'link_lost'
      union all
      select link.id, link.lost_at, null from ${outgoingLinksTable} link where link.lost_at is not null and not exists (
        select from ${happeningsTable} lost where lost.subject_type = 'link' and lost.subject_id = link.id and lost.kind = 'link_lost'
          and lost.at >= link.lost_at)
    ) lost
    join ${outgoingLinksTable} link on link.id = lost.subject_id join ${liveSitesSql} site on site.host = link.host`,
  sql`
    select 'event' as kind, site.campaign_id as campaign, site.id as site, 'redirect_broken' as event, ${isoSql(sql`state.at`)} as at,
      ${isoSql(sql`state.until`)} as until, redirect.id as subject_id, redirect.domain as title
    from (select subject_id, at, after, lead(at) over (partition by subject_id order by id) as until
      from ${happeningsTable} where subject_type = 'redirect_domain' and kind = 'redirect_state') state
    join ${redirectDomainsTable} redirect on redirect.id = state.subject_id
    join ${liveSitesSql} site on site.host = regexp_replace(lower(redirect.redirect_url), '^https?://(?:www[.])?([^/:?#]*).*$', '\\1')
    where state.after ->> 'live_status' = '0'`,
  sql`
    select 'event' as kind, ${auditTable.row_id} as campaign, null::int as site, 'hours_edited' as event,
      ${isoSql(auditTable.at)} as at, null as until, ${auditTable.row_id} as subject_id, 'Working hours' as title
    from ${auditTable} where ${auditTable.kind} = 'campaign' and ${auditTable.after} ?| array['schedule', 'timezone']
      and exists (select 1 from ${campaignsTable} where ${campaignsTable.id} = ${auditTable.row_id})`,
  sql`
    select 'event' as kind, ${activityItemsTable.campaign_id} as campaign, null::int as site, 'note' as event,
      ${isoSql(sql`(${activityItemsTable.date}::timestamp + interval '12 hours') at time zone ${timeZone}::text`)} as at, null as until, ${activityItemsTable.id} as subject_id,
      left(${activityItemsTable.note}, 200) as title
    from ${activityItemsTable}
    where ${activityItemsTable.campaign_id} is not null and not ${activityItemsTable.is_task} and ${activityItemsTable.deleted_at} is null`,
]

/** Added keywords, as events without a campaign. The audit log has the whole list before and after each save, one keyword per line. */
export const addedKeywordsQuery = sql`
  select 'event' as kind, null::int as site, 'keyword_added' as event, ${isoSql(sql`added.at`)} as at, null as until,
    (select min(${keywordsTable.id}) from ${keywordsTable} where ${keywordsTable.keyword} = added.keyword) as subject_id, added.keyword as title
  from (select saved.at, line.keyword from ${auditTable} saved cross join lateral ${addedKeywordsSql(sql`saved`)} line
    where saved.kind = 'blacklist') added`

/**
 * Selects the keywords that an audit entry of the blacklist added. The entry holds the whole list before and after, one
 * keyword per line.
 */
function addedKeywordsSql(entry: SQL): SQL {
  return sql`(
  select keyword from string_to_table(${entry}.after ->> 'keywords', chr(10)) keyword where keyword <> ''
  except select keyword from string_to_table(${entry}.before ->> 'keywords', chr(10)) keyword)`
}
