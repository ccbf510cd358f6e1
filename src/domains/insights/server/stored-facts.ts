import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { runInSlices } from '#core/jobs/run-in-slices.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { currentTargetSql } from '#domains/campaigns/public.ts'
import { campaignCategoryLinksTable, campaignsTable } from '#domains/campaigns/schema.ts'
import { leadBatchRowsTable } from '#domains/leads/batch/schema.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { queueSql } from '#domains/leads/public.ts'
import { offlineSpellsTable } from '#domains/sites/checks/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import {
  type AgencyFacts,
  type CampaignFact,
  type EventFact,
  type LeadFact,
  type OfflineFact,
  type SourceFact,
  sortFacts,
} from './facts.ts'
import { createDayReader, dayNumber, type ForecastHistory, type ForecastLead } from './forecast-facts.ts'
import { addedKeywordsQuery, eventQueries, isoSql } from './stored-events.ts'

/**
 * Reads facts from the database: campaigns, sources, leads from `since` up to `until` with their verdicts, and events of sites,
 * listings and rules.
 */
export async function readStoredFacts(db: DbOrTx, timeZone: string, since?: Date, until?: Date): Promise<AgencyFacts> {
  const read = async <Row extends Record<string, unknown>>(query: ReturnType<typeof sql>) =>
    (await db.execute<Row>(query)).rows as Row[] // each query selects the fields of its fact
  const campaigns = await read<CampaignFact>(campaignsQuery(timeZone))
  const sources = await read<SourceFact>(sourcesQuery)
  const leads = await read<LeadFact>(leadsQuery(since, until))
  const events = (await Promise.all(eventQueries(timeZone).map((query) => read<EventFact>(query)))).flat()
  const keywords = spreadKeywords(await read<Omit<EventFact, 'campaign'>>(addedKeywordsQuery), leads)
  const offline = await read<OfflineFact>(offlineQuery)
  return sortFacts({ campaigns, sources, leads, events: [...events, ...keywords], offline })
}

/** A keyword is an event of the campaigns whose leads it hid: of all campaigns, the events of a long list would be millions. */
function spreadKeywords(added: readonly Omit<EventFact, 'campaign'>[], leads: readonly LeadFact[]): EventFact[] {
  const hidden = Map.groupBy(leads, ({ hidden_by }) => hidden_by)
  return added.flatMap((keyword) =>
    [...new Set(hidden.get(keyword.title)?.map(({ campaign }) => campaign))].map((campaign) => ({
      ...keyword,
      campaign,
    })),
  )
}

/** So many histories were read in this process. */
let readings = 0

export type StoredHistories = {
  campaigns: CampaignFact[]
  histories: Map<number, ForecastHistory>
  /** Which of this process's readings it is. */
  reading: number
}

/** Reads only what forecasts need, which takes a quarter of the memory of all facts: the leads from `since` up to `until`. */
export async function readStoredHistories(
  db: DbOrTx,
  timeZone: string,
  since: Date,
  until?: Date,
): Promise<StoredHistories> {
  const campaigns = await db.execute<CampaignFact>(campaignsQuery(timeZone))
  // A row holds a campaign's leads as arrays: tens of thousands of them are too many to parse as rows.
  const inOrder = (value: SQL) => sql`array_to_json(array_agg(${value} order by at, id))`
  const instants = (name: string) => inOrder(sql`(extract(epoch from ${sql.raw(name)}) * 1000)::bigint`)
  const leads = await db.execute<HistoryRow>(sql`
    select campaign, ${inOrder(sql`type`)} as type, ${instants('at')} as at, ${instants('verified_at')} as "verifiedAt",
      ${instants('judged_at')} as "judgedAt", ${inOrder(sql`is_settled`)} as "isSettled"
    from (${judgedLeadsQuery(since, until)}) judged group by campaign`)
  const dayOf = createDayReader(timeZone)
  const rowOf = new Map(leads.rows.map((row) => [row.campaign, row]))
  const toLeads = ({ type, at, verifiedAt, judgedAt, isSettled }: HistoryRow): ForecastLead[] =>
    at.map((instant, nth) => ({
      at: instant,
      day: dayOf(instant),
      type: type[nth]!,
      verifiedAt: verifiedAt[nth] ?? null,
      judgedAt: judgedAt[nth] ?? null,
      isSettled: isSettled[nth]!,
    }))
  const sorted = campaigns.rows.toSorted((a, b) => a.id - b.id)
  const histories = await runInSlices(
    (function* () {
      const found: StoredHistories['histories'] = new Map()
      for (const { id, category, start_date } of sorted) {
        const startDay = start_date === null ? null : dayNumber(start_date)
        const row = rowOf.get(id)
        found.set(id, { id, category, startDay, leads: row ? toLeads(row) : [] })
        yield
      }
      return found
    })(),
  )
  return { campaigns: sorted, histories, reading: ++readings }
}

/** A campaign's leads in the order in which they came, the nth of each array being those of the nth lead. */
type HistoryRow = {
  campaign: number
  type: ForecastLead['type'][]
  at: number[]
  verifiedAt: (number | null)[]
  judgedAt: (number | null)[]
  isSettled: boolean[]
}

/** A campaign with several categories counts toward the first by name. */
const campaignsQuery = (timeZone: string) => sql`
  select 'campaign' as kind, ${campaignsTable.id} as id,
    coalesce((select min(${campaignCategoriesTable.name}) from ${campaignCategoryLinksTable}
      join ${campaignCategoriesTable} on ${campaignCategoriesTable.id} = ${campaignCategoryLinksTable.category_id}
      where ${campaignCategoryLinksTable.campaign_id} = ${campaignsTable.id}), '') as category,
    ${campaignsTable.timezone} as timezone, ${campaignsTable.start_date}::text as start_date, ${campaignsTable.due_date}::int as due_date,
    ${currentTargetSql(timeZone)}::int as target
  from ${campaignsTable}`

/** A source is a client site with one provider, if it ever sent a lead. */
const sourcesQuery = sql`
  select 'source' as kind, sent.site || '/' || lower(sent.lead_s) as id, ${clientSitesTable.campaign_id} as campaign, sent.site
  from (select distinct ${leadsTable.clientsite_id} as site, ${leadsTable.lead_s} as lead_s from ${leadsTable}
    where ${leadsTable.clientsite_id} is not null) sent
  join ${clientSitesTable} on ${clientSitesTable.id} = sent.site where ${clientSitesTable.campaign_id} is not null`

const offlineQuery = sql`
  select 'offline' as kind, ${isoSql(offlineSpellsTable.began_at)} as at, ${isoSql(offlineSpellsTable.ended_at)} as until from ${offlineSpellsTable}`

const leadsQuery = (since?: Date, until?: Date) => sql`
  select 'lead' as kind, id, campaign, source, type, channel, ${isoSql(sql`at`)} as at, ${isoSql(sql`verified_at`)} as verified_at,
    ${isoSql(sql`judged_at`)} as judged_at, hidden_by, missed
  from (${judgedLeadsQuery(since, until)}) judged`

/**
 * A verdict is the last change of a lead's mark by a person, except in a batch that was undone. A verified lead without a verdict (imported, or older than
 * the audit log) counts as verified on arrival: its row may have been made months later.
 */
const judgedLeadsQuery = (since = new Date(0), until?: Date) => sql`
  select lead.id, lead.campaign_id as campaign,
    case when ${clientSitesTable.campaign_id} is null then null else lead.clientsite_id || '/' || lower(lead.lead_s) end as source,
    lead.lead_type as type, lead.source as channel, lead.occurred_at as at,
    case when lead.confirmed then coalesce(verdict.verified_at, lead.occurred_at) end as verified_at,
    coalesce(verdict.judged_at, case when lead.confirmed then lead.occurred_at end) as judged_at,
    verdict.judged_at is null and not (${sql.raw(queueSql('review', (name) => `lead."${name}"`))}) as is_settled,
    (select coalesce(substring(cause ->> 'because' from '^keyword ''(.*)''$'), cause ->> 'because') from jsonb_array_elements(lead.tag_causes) cause
      where cause ->> 'tag' in ('BLSpam', 'Autospam') limit 1) as hidden_by,
    lead.tags && array['Missed Call', 'Auto Missed Call', 'After Hours'] as missed
  from ${leadsTable} lead
  left join ${clientSitesTable} on ${clientSitesTable.id} = lead.clientsite_id
  left join (
    select ${auditTable.row_id} as lead_id,
      max(${auditTable.at}) filter (where ${auditTable.after} ->> 'confirmed' in ('1', 'true')) as verified_at,
      max(${auditTable.at}) as judged_at
    from ${auditTable} where ${auditTable.kind} = 'lead' and ${auditTable.at} >= ${since} and ${auditTable.user_id} is not null
      and (${auditTable.after} ? 'confirmed' or ${auditTable.after} ? 'tags' or ${auditTable.after} ? 'hide')
      and not exists (select 1 from ${leadBatchRowsTable} where ${leadBatchRowsTable.lead_id} = ${auditTable.row_id}
        and ${leadBatchRowsTable.undone_version} is not null
        and ${auditTable.version} in (${leadBatchRowsTable.version}, ${leadBatchRowsTable.undone_version}))
    group by 1) verdict on verdict.lead_id = lead.id
  where lead.campaign_id <> ${noCampaignId} and not lead.archived and lead.occurred_at >= ${since}
    ${until ? sql`and lead.occurred_at <= ${until}` : sql``}`
