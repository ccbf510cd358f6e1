import { and, type SQL, sql } from 'drizzle-orm'
import { auditTable } from '#core/db/schema.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignHappening, happeningsTable } from '#domains/happenings/schema.ts'
import { keywordsTable } from '#domains/leads/spam/schema.ts'
import { gmbLogsTable, gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { googleLocationsTable } from '#domains/listings/google/schema.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import type { CampaignEventKind } from '../labels.ts'

/**
 * A source of events: one part of the union, with an index on campaign and time. `entries` selects at least `id, kind,
 * by` and what `columns` and `sortKey` use; with `subjects` it reads the entries of one `subject` at a time.
 */
export type EventSource = {
  kinds: readonly CampaignEventKind[]
  /** The `from` item that yields `subject`. */
  subjects?: SQL
  entries: SQL
  /** Sorts entries like their time. */
  sortKey?: SQL
  /** `at, username, subject_type, subject_id, label, before, after` of an `entry`. */
  columns: SQL
}

type EventWindow = {
  campaignId: number
  from: Date | null
  /** Exclusive. */
  until: Date
  fromDay: string | null
  toDay: string
  timeZone: string
  /** The fields of a campaign that the reader's pages show; null for all. */
  campaignFields: readonly string[] | null
}

/** Returns the parts of the union. */
export const buildEventSources = (eventWindow: EventWindow): Record<string, EventSource> => ({
  items: buildItems(eventWindow),
  campaign: buildCampaignEdits(eventWindow),
  area: buildEditsOf(eventWindow, 'campaign area', 'area_edited'),
  terms: buildEditsOf(eventWindow, 'campaign terms', 'terms_changed'),
  siteEdits: buildSiteEdits(eventWindow),
  siteStates: buildSiteStates(eventWindow),
  listings: buildListingChanges(eventWindow),
  happenings: buildHappenings(eventWindow),
  lostLinks: buildLostLinks(eventWindow),
  redirects: buildRedirects(eventWindow),
  keywords: buildKeywords(eventWindow),
})

const inWindow = ({ from, until }: EventWindow, at: SQL) =>
  and(from ? sql`${at} >= ${from}` : undefined, sql`${at} < ${until}`)
const usernameOf = (id: SQL) => sql`(select username from ${usersTable} where ${usersTable.id} = ${id})`
const noFields = sql`null::jsonb as before, null::jsonb as after`

/** Items only have a day, so their time is noon. */
const buildItems = ({ campaignId, fromDay, toDay, timeZone }: EventWindow): EventSource => ({
  kinds: ['note', 'task'],
  entries: sql`select id, date, note, is_done, user_id, author_name, case when is_task then 'task' else 'note' end as kind, 'person' as by
    from ${activityItemsTable} where campaign_id = ${campaignId} and deleted_at is null
      and ${and(fromDay ? sql`date >= ${fromDay}` : undefined, sql`date <= ${toDay}`)}`,
  sortKey: sql`date`,
  columns: sql`(entry.date::timestamp + interval '12 hours') at time zone ${timeZone}::text as at,
    coalesce(entry.author_name, ${usernameOf(sql`entry.user_id`)}) as username,
    entry.kind as subject_type, entry.id as subject_id, left(entry.note, 200) as label, null::jsonb as before,
    jsonb_build_object('is_done', entry.is_done) as after`,
})

const auditFields = sql`id, at, username, row_id, before, after, case when user_id is null then 'machine' else 'person' end as by`
const aboutCampaign = sql`entry.at, entry.username, 'campaign' as subject_type, entry.row_id as subject_id,
  (select name from ${campaignsTable} where ${campaignsTable.id} = entry.row_id) as label`

export const campaignTargetFields = [
  'initial_target',
  'month_3_target',
  'month_6_target',
  'month_9_target',
  'month_12_target',
]

/** Fields that the reader may not see are removed from an entry; an entry with no other fields is left out. */
function buildCampaignEdits(eventWindow: EventWindow): EventSource {
  const fields = eventWindow.campaignFields && sql`${sql.param(eventWindow.campaignFields)}::text[]`
  const hasTargets = sql`after ?| ${sql.param(fields ? campaignTargetFields.filter((name) => eventWindow.campaignFields?.includes(name)) : campaignTargetFields)}::text[]`
  const narrow = (side: SQL) =>
    fields
      ? sql`(select jsonb_object_agg(key, value) from jsonb_each(case when jsonb_typeof(${side}) = 'object' then ${side} else '{}' end) where key = any(${fields}))`
      : side
  return {
    kinds: ['campaign_added', 'campaign_archived', 'campaign_edited', 'target_changed', 'hours_edited'],
    entries: sql`select ${auditFields},
        case when action = 'created' then 'campaign_added' when ${hasTargets} then 'target_changed'
          when after ?| array['schedule', 'timezone'] then 'hours_edited' when after ? 'archived' then 'campaign_archived' else 'campaign_edited' end as kind
      from ${auditTable} where kind = 'campaign' and row_id = ${eventWindow.campaignId} and ${inWindow(eventWindow, sql`at`)}
        ${fields ? sql`and after ?| ${fields}` : sql``}`,
    columns: sql`${aboutCampaign}, ${narrow(sql`entry.before`)} as before, ${narrow(sql`entry.after`)} as after`,
  }
}

const buildEditsOf = (
  eventWindow: EventWindow,
  auditKind: 'campaign area' | 'campaign terms',
  kind: CampaignEventKind,
): EventSource => ({
  kinds: [kind],
  entries: sql`select ${auditFields}, ${kind}::text as kind from ${auditTable}
    where kind = ${sql.raw(`'${auditKind}'`)} and row_id = ${eventWindow.campaignId} and ${inWindow(eventWindow, sql`at`)}`,
  columns: sql`${aboutCampaign}, ${noFields}`,
})

const sitesOf = ({ campaignId }: EventWindow) =>
  sql`(select id, url from ${clientSitesTable} where campaign_id = ${campaignId}) subject`
const aboutSite = sql`'client_site' as subject_type, subject.id as subject_id, subject.url as label`

const buildSiteEdits = (eventWindow: EventWindow): EventSource => ({
  kinds: ['site_edited'],
  subjects: sitesOf(eventWindow),
  entries: sql`select ${auditFields}, 'site_edited' as kind from ${auditTable}
    where kind = 'client site' and row_id = subject.id and ${inWindow(eventWindow, sql`at`)}`,
  columns: sql`entry.at, entry.username, ${aboutSite}, entry.before, entry.after`,
})

const buildSiteStates = (eventWindow: EventWindow): EventSource => ({
  kinds: ['site_offline', 'site_online'],
  subjects: sitesOf(eventWindow),
  entries: sql`select id, created_at as at, case status when 0 then 'site_offline' else 'site_online' end as kind, 'machine' as by
    from ${clientSiteLogsTable} where site_id = subject.id and status is not null and ${inWindow(eventWindow, sql`created_at`)}`,
  columns: sql`entry.at, null as username, ${aboutSite}, ${noFields}`,
})

const buildListingChanges = (eventWindow: EventWindow): EventSource => ({
  kinds: ['listing_suspended', 'listing_edited', 'listing_changed'],
  subjects: sql`(select id, title from ${gmbsTable} where campaign_id = ${eventWindow.campaignId} and deleted_at is null) subject`,
  entries: sql`select id, created_at as at, changed, old, new, username, case when username is null then 'machine' else 'person' end as by,
      case when changed = 'Status' and new = 'Suspended' then 'listing_suspended'
        when username is null then 'listing_changed' else 'listing_edited' end as kind
    from ${gmbLogsTable} where gmb_id = subject.id and ${inWindow(eventWindow, sql`created_at`)}`,
  columns: sql`entry.at, entry.username, 'listing' as subject_type, subject.id as subject_id, subject.title as label,
    jsonb_build_object(entry.changed, entry.old) as before, jsonb_build_object(entry.changed, entry.new) as after`,
})

/** The states of sites and listings have separate logs. */
const buildHappenings = (eventWindow: EventWindow): EventSource => ({
  kinds: ['registration', 'site_ip', 'site_certificate', 'google_location', 'link_found', 'link_lost'],
  entries: sql`select id, at, kind, subject_type, subject_id, before, after,
      case when after -> 'edited_by' @? '$.* ? (@ == "ours")' then 'person' else 'machine' end as by
    from ${happeningsTable} where campaign_id = ${eventWindow.campaignId} and ${inWindow(eventWindow, sql`at`)} and ${campaignHappening}`,
  columns: sql`entry.at, null as username, entry.subject_type, entry.subject_id,
    case entry.subject_type when 'client_site' then (select url from ${clientSitesTable} where ${clientSitesTable.id} = entry.subject_id)
      when 'domain' then (select domain from ${registrationsTable} where ${registrationsTable.id} = entry.subject_id)
      when 'google_location' then (select title from ${googleLocationsTable} where ${googleLocationsTable.id} = entry.subject_id)
      else coalesce((select url from ${outgoingLinksTable} where ${outgoingLinksTable.id} = entry.subject_id), entry.after ->> 'url') end as label,
    entry.before, entry.after`,
})

const hostsOf = ({ campaignId }: EventWindow) =>
  sql`(select distinct host from ${clientSitesTable} where campaign_id = ${campaignId} and deleted_at is null)`

/** Links lost before happenings were recorded. */
const buildLostLinks = (eventWindow: EventWindow): EventSource => ({
  kinds: ['link_lost'],
  subjects: sql`${hostsOf(eventWindow)} subject`,
  entries: sql`select link.id, link.lost_at as at, link.url, 'link_lost' as kind, 'machine' as by from ${outgoingLinksTable} link
    where link.host = subject.host and link.lost_at is not null and ${inWindow(eventWindow, sql`link.lost_at`)}
      and not exists (select from ${happeningsTable} lost
        where lost.subject_type = 'link' and lost.subject_id = link.id and lost.kind = 'link_lost' and lost.at = link.lost_at)`,
  columns: sql`entry.at, null as username, 'link' as subject_type, entry.id as subject_id, entry.url as label, ${noFields}`,
})

const buildRedirects = (eventWindow: EventWindow): EventSource => ({
  kinds: ['redirect_broken', 'redirect_restored'],
  subjects: sql`(select ${redirectDomainsTable.id}, ${redirectDomainsTable.domain} from ${redirectDomainsTable} join ${hostsOf(eventWindow)} site
    on regexp_replace(lower(${redirectDomainsTable.redirect_url}), '^https?://(?:www[.])?([^/:?#]*).*$', '\\1') = site.host) subject`,
  entries: sql`select id, at, before, after, 'machine' as by,
      case when after ->> 'live_status' = '1' then 'redirect_restored' else 'redirect_broken' end as kind
    from ${happeningsTable} where subject_type = 'redirect_domain' and subject_id = subject.id and kind = 'redirect_state'
      and not (before ->> 'live_status' is null and after ->> 'live_status' = '1') and ${inWindow(eventWindow, sql`at`)}`,
  columns: sql`entry.at, null as username, 'redirect_domain' as subject_type, subject.id as subject_id, subject.domain as label,
    entry.before, entry.after`,
})

/** Keywords apply to every campaign, from its start. */
const buildKeywords = (eventWindow: EventWindow): EventSource => ({
  kinds: ['keyword_added'],
  entries: sql`select id, created_at as at, keyword, created_by, 'keyword_added' as kind,
      case when created_by is null then 'machine' else 'person' end as by
    from ${keywordsTable} where ${inWindow(eventWindow, sql`created_at`)} and created_at >= (
      select least(${campaignsTable.created_at}, ${campaignsTable.start_date}::timestamptz) from ${campaignsTable}
      where ${campaignsTable.id} = ${eventWindow.campaignId})`,
  columns: sql`entry.at, ${usernameOf(sql`entry.created_by`)} as username, 'keyword' as subject_type, entry.id as subject_id,
    entry.keyword as label, ${noFields}`,
})
