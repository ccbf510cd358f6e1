import { and, asc, desc, eq, isNull, notInArray, or, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys } from '#core/db/field-columns.ts'
import { sortDirection } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import type { InboundEventState } from '../../intake/labels.ts'
import { inboundEventsTable, type StoredEvent } from '../../intake/schema.ts'
import { leadsTable } from '../../model/schema.ts'
import { notErasedCondition } from '../../personal-data/server/erased-events.ts'
import type { CustomSource, customSourcesContract, SourceEvent } from '../contract.ts'
import { customSourceFields } from '../fields.ts'
import { customSourcesTable, sourceKeyAad } from '../schema.ts'
import { readSourceBody, type SourceBody, UnreadableBodyError, unreadableReasons } from './read-body.ts'
import { suggestMapping } from './suggest-mapping.ts'

export type ReceivedSample = { id: number; body: SourceBody; bytes: Buffer; receivedAt: Date }

/** Also a source whose site was deleted: its address still takes leads, which wait for another site. */
const visibleCondition = (me: CurrentUser) =>
  and(isNull(customSourcesTable.deleted_at), inVisibleCampaigns(me, clientSitesTable.campaign_id))

export async function readCustomSourcesPage(
  context: AppContext,
  me: CurrentUser,
  query: QueryOf<typeof customSourcesContract.list>,
) {
  const { db } = context
  const direction = sortDirection(query.order)
  const sources = selectSources(db)
    .where(visibleCondition(me))
    .orderBy(direction(sourceSortKeys[query.sort]), asc(customSourcesTable.id))
  const { clientsite_id } = customSourcesTable
  const joined = sql`${customSourcesTable} join ${clientSitesTable} on ${eq(clientSitesTable.id, clientsite_id)}`
  const { data, total } = await readPage(sources, db.$count(joined, visibleCondition(me)), query)
  return { data: await Promise.all(data.map((row) => toCustomSource(context, db, me, row))), total }
}

const sourceSortKeys = buildSortKeys(customSourceFields, customSourcesTable, {})

/** Reads a source. Throws 404 if the caller may not see it. */
export async function readCustomSource(
  context: AppContext,
  db: DbOrTx,
  me: CurrentUser,
  id: number,
): Promise<BeforeJson<CustomSource>> {
  const [row] = await selectSources(db).where(and(eq(customSourcesTable.id, id), visibleCondition(me)))
  if (!row) throw notFoundError()
  return toCustomSource(context, db, me, row)
}

const selectSources = (db: DbOrTx) =>
  db
    .select({
      source: customSourcesTable,
      clientsite_url: sql<
        string | null
      >`case when ${clientSitesTable.deleted_at} is null then ${clientSitesTable.url} end`,
      campaign_name: campaignsTable.name,
    })
    .from(customSourcesTable)
    .innerJoin(clientSitesTable, eq(clientSitesTable.id, customSourcesTable.clientsite_id))
    .leftJoin(campaignsTable, eq(campaignsTable.id, clientSitesTable.campaign_id))
    .$dynamic()

async function toCustomSource(
  { secrets, settings }: AppContext,
  db: DbOrTx,
  me: CurrentUser,
  { source, ...place }: Awaited<ReturnType<typeof selectSources>>[number],
): Promise<BeforeJson<CustomSource>> {
  const key = secrets.open(source.key!, sourceKeyAad(source.id)) // always set
  const [latest] = await readSamples(db, me, source.id, 1)
  return {
    id: source.id,
    name: source.name,
    url: `${settings.PUBLIC_URL}/api/hooks/in/${key}`,
    key,
    mapping: source.mapping,
    preset: source.preset,
    sample: latest?.body ?? null,
    suggested: latest ? suggestMapping(latest.body) : {},
    clientsite_id: source.clientsite_id,
    ...place,
    last_event_at: latest?.receivedAt ?? null,
    version: source.version,
  }
}

/**
 * Returns the condition for the events that this person may see. A source may get another site, and its site another campaign: what it
 * received before stays with those who have its leads.
 */
export function visibleEventsCondition(me: CurrentUser) {
  const { lead_id, clientsite_id } = inboundEventsTable
  const ofLead = inVisibleCampaigns(me, leadsTable.campaign_id)
  const ofSite = inVisibleCampaigns(me, clientSitesTable.campaign_id)
  return (
    ofLead &&
    ofSite &&
    sql`case when ${lead_id} is null
      then exists (select from ${clientSitesTable} where ${clientSitesTable.id} = ${clientsite_id} and ${ofSite})
      else exists (select from ${leadsTable} where ${leadsTable.id} = ${lead_id} and ${ofLead}) end`
  )
}

/** Returns the newest readable events of a source that this person may see, parsed; erased ones are left out. */
export async function readSamples(
  db: DbOrTx,
  me: CurrentUser,
  sourceId: number,
  limit: number,
): Promise<ReceivedSample[]> {
  const { id, source_id, body, headers, reason, received_at } = inboundEventsTable
  const isReadable = or(isNull(reason), notInArray(reason, unreadableReasons))
  const events = await db
    .select({ id, body, headers, received_at })
    .from(inboundEventsTable)
    .where(and(eq(source_id, sourceId), visibleEventsCondition(me), notErasedCondition, isReadable))
    .orderBy(desc(id))
    .limit(limit)
  return events.flatMap((event) => {
    const read = readStoredBody(event)
    return read ? [{ id: event.id, ...read, bytes: event.body, receivedAt: event.received_at }] : []
  })
}

/** Returns null for a body that has been refused a moment ago, and has no reason yet. */
function readStoredBody({ body, headers }: Pick<StoredEvent, 'body' | 'headers'>): { body: SourceBody } | null {
  try {
    return { body: readSourceBody(body, headers['content-type'] ?? '') }
  } catch (error) {
    if (!(error instanceof UnreadableBodyError)) throw error
    return null
  }
}

const maxShownCharacters = 20_000

export async function readSourceEvents(
  db: DbOrTx,
  me: CurrentUser,
  sourceId: number,
  query: QueryOf<typeof customSourcesContract.events>,
): Promise<{ data: BeforeJson<SourceEvent>[]; total: number }> {
  const { id, received_at, state, reason, lead_id, body } = inboundEventsTable
  const where = and(eq(inboundEventsTable.source_id, sourceId), visibleEventsCondition(me))
  const start = sql<Buffer>`substring(${body} from 1 for ${maxShownCharacters * 4})`
  const events = db
    .select({ id, received_at, state, reason, lead_id, body: start })
    .from(inboundEventsTable)
    .where(where)
    .orderBy(sortDirection(query.order)(id))
  const { data, total } = await readPage(events, db.$count(inboundEventsTable, where), query)
  const shown = data.map((event) => ({
    ...event,
    state: sourceEventState(event.state),
    body: event.body.toString('utf8').slice(0, maxShownCharacters),
  }))
  return { data: shown, total }
}

function sourceEventState(state: InboundEventState): SourceEvent['state'] {
  if (state === 'done') return 'lead'
  return state === 'stored' || state === 'waiting' ? 'waiting' : 'quarantined'
}
