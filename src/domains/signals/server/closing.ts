import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { listConnections } from '#domains/connections/public.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { googleAccountsTable } from '#domains/listings/google/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import type { SignalKind, SignalSubjectType } from '../labels.ts'
import { sharedFaultSites } from './detectors/sites.ts'
import { formatDuration, type SignalClosing } from './finding.ts'
import { getsReportsSql } from './read-facts.ts'
import { hasGotThrough } from './read-refused-mails.ts'
import { isSharedFault } from './shared-faults.ts'
import type { OpenSignal } from './store.ts'

const closingTexts: Record<SignalKind, string> = {
  source_silent: 'Leads are coming in again.',
  hooks_lost: 'The webhook works again, or CallRail’s own list is read instead.',
  all_quiet: 'Lead volume is back to normal.',
  leadline_offline: 'Leadline is online again.',
  connection_lost: 'The connection works again.',
  site_offline: 'The site is back up.',
  site_unchecked: 'The site lets our checks in again.',
  certificate_expiring: 'The certificate was renewed.',
  domain_expiring: 'The registration was renewed.',
  listing_suspended: 'The listing is no longer suspended.',
  listing_changed: 'The listing was accepted as it is, or its link was changed.',
  google_relink: 'The account was reconnected.',
  redirect_broken: 'The domain redirects again.',
  link_lost: 'Link restored or aged out.',
  events_quarantined: 'No event is put aside anymore.',
  leads_unassigned: 'All leads have a campaign.',
  mail_refused: 'A later email got through.',
  statement_refused: 'Emailed again since, more than two weeks ago, or the client was removed.',
  report_refused: 'Emailed again since, or more than two weeks ago.',
  task_overdue: 'Task completed or removed.',
  behind_target: 'Back on track, the cycle is over, or its target was removed.',
  cap_reached: 'The cycle is over, its charges are below the cap, or the cap was removed.',
  rule_hides_good_leads: 'The rule no longer hides good leads.',
}

/** Returns the evidence of closing: the current state of the subject, or why it is no longer watched. */
export async function describeClosings(
  db: DbOrTx,
  context: AppContext,
  signals: readonly OpenSignal[],
  asOf: Date,
): Promise<Map<number, SignalClosing>> {
  const states = await readSubjectStates(db, context, signals)
  const archived = await readArchivedCampaigns(db, signals)
  return new Map(
    signals.map((signal): [number, SignalClosing] => {
      const lastedMs = asOf.getTime() - signal.opened_at.getTime()
      const state = states.get(`${signal.subject_type} ${signal.subject_id}`)
      const isUnwatched = watchedTypes.has(signal.subject_type) && archived.has(signal.campaign_id)
      const says = isUnwatched ? 'The campaign was archived.' : describeEnd(signal, state)
      const lasted_minutes = Math.round(lastedMs / 60_000)
      const evidence = { says: `${says} Lasted ${formatDuration(lastedMs)}.`, lasted_minutes, ...(state ?? {}) }
      return [signal.id, { evidence, isUnwatched }]
    }),
  )
}

/** The subjects that are watched only while their campaign is active. */
const watchedTypes: ReadonlySet<SignalSubjectType> = new Set([
  'client_site',
  'source',
  'listing',
  'campaign',
  'link',
  'domain',
])

async function readArchivedCampaigns(db: DbOrTx, signals: readonly OpenSignal[]): Promise<Set<number | null>> {
  const ids = signals.flatMap(({ campaign_id }) => campaign_id ?? [])
  const rows = await db
    .select({ id: campaignsTable.id })
    .from(campaignsTable)
    .where(and(inArray(campaignsTable.id, ids), eq(campaignsTable.archived, true)))
  return new Set(rows.map(({ id }) => id))
}

const mailNoLongerRefused = 'The address was changed, the client was switched off, or two weeks have passed.'

/** A new URL is another site, which no check has seen yet. */
const endedByUrl: ReadonlySet<SignalKind> = new Set(['site_offline', 'site_unchecked', 'certificate_expiring'])

function describeEnd(signal: OpenSignal, state: SubjectState | null | undefined): string {
  if (signal.kind === 'connection_lost') return describeConnection(signal, state)
  if (signal.kind === 'report_refused' && state === null) return 'The client was removed or switched off.'
  if (state === null) return 'Removed, or no longer in a campaign.'
  if (endedByUrl.has(signal.kind) && state?.status === null) return 'The site’s URL was changed.'
  if (signal.kind === 'certificate_expiring' && state?.tls_expires_at === null)
    return 'The site shows no certificate anymore.'
  if (signal.kind === 'site_unchecked' && state?.status === 0) return 'The site is offline now.'
  if (isSharedFault(signal)) return `Fewer than ${sharedFaultSites} of the sites are offline now.`
  // A lead ends a silence, whatever a probe found to explain it.
  if (signal.subject_type === 'source' && signal.kind !== 'hooks_lost') return closingTexts.source_silent
  if (signal.kind === 'mail_refused' && !state?.got_through) return mailNoLongerRefused
  if (signal.evidence.never_live === 1) return 'A check has reached the site.'
  return closingTexts[signal.kind]
}

/** Emails wait three days at most: that none waits any more does not mean that they were sent. */
function describeConnection({ subject_id, evidence }: OpenSignal, state: SubjectState | null | undefined): string {
  if (subject_id === '0') return state ? 'A mail server is connected now.' : 'No email waits for it anymore.'
  if (!state) return 'The connection was removed.'
  return evidence.waiting === undefined || state.state === 'works'
    ? closingTexts.connection_lost
    : 'The mail server has taken emails since, or none waits anymore.'
}

type SubjectState = Record<string, unknown>

/** Formats an instant as in responses. */
const isoSql = (column: string) =>
  sql`to_char(${sql.identifier(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Returns the current state by subject, null if it was removed or has no campaign. Kinds without further details are left out. */
async function readSubjectStates(
  db: DbOrTx,
  context: AppContext,
  signals: readonly OpenSignal[],
): Promise<Map<string, SubjectState | null>> {
  const states = new Map<string, SubjectState | null>()
  const idsOf = (type: OpenSignal['subject_type']) =>
    signals.filter(({ subject_type }) => subject_type === type).map(({ subject_id }) => Number(subject_id))
  const keep = (type: OpenSignal['subject_type'], ids: number[], rows: ({ id: number } & SubjectState)[]) => {
    const byId = new Map(rows.map(({ id, ...state }) => [id, state]))
    for (const id of ids) states.set(`${type} ${id}`, byId.get(id) ?? null)
  }
  for (const [type, table] of [
    ['client_site', clientSitesTable],
    ['network_site', networkSitesTable],
  ] as const) {
    const ids = idsOf(type)
    if (ids.length === 0) continue
    const { rows } = await db.execute<{ id: number }>(sql`
      select id, status, http_status_code, ${isoSql('checked_at')} as checked_at, ${isoSql('tls_expires_at')} as tls_expires_at from ${table}
      where id = any(${sql.param(ids)}::int[]) ${table === clientSitesTable ? sql`and deleted_at is null and campaign_id is not null` : sql``}`)
    keep(type, ids, rows)
  }
  const listings = idsOf('listing')
  if (listings.length > 0)
    keep(
      'listing',
      listings,
      await db
        .select({ id: gmbsTable.id, status: gmbsTable.status, changed: gmbsTable.changed })
        .from(gmbsTable)
        .where(sql`${inArray(gmbsTable.id, listings)} and ${gmbsTable.deleted_at} is null`),
    )
  const domains = idsOf('domain')
  if (domains.length > 0)
    keep(
      'domain',
      domains,
      await db
        .select({ id: registrationsTable.id, expires_on: registrationsTable.expires_on })
        .from(registrationsTable)
        .where(
          sql`${inArray(registrationsTable.id, domains)} and (
            exists (select from ${clientSitesTable} site where site.domain = ${registrationsTable.domain} and site.campaign_id is not null and site.deleted_at is null)
            or exists (select from ${networkSitesTable} site where site.domain = ${registrationsTable.domain})
            or exists (select from ${redirectDomainsTable} redirect where redirect.registered_domain = ${registrationsTable.domain}))`,
        ),
    )
  const links = idsOf('link')
  if (links.length > 0) {
    const { rows } = await db.execute<{ id: number }>(sql`
      select link.id::int as id from ${outgoingLinksTable} link where link.id = any(${sql.param(links)}::int[]) and (
        exists (select from ${clientSitesTable} site where site.host = link.host and site.campaign_id is not null and site.deleted_at is null)
        or exists (select from ${redirectDomainsTable} redirect where redirect.domain = link.host))`)
    keep('link', links, rows)
  }
  const clients = idsOf('client')
  if (clients.length > 0) {
    const { rows } = await db.execute<{ id: number }>(sql`
      select client.id from ${clientsTable} client where client.id = any(${sql.param(clients)}::int[]) and ${getsReportsSql}`)
    keep('client', clients, rows)
  }
  const connections = idsOf('connection')
  if (connections.length > 0) {
    const inForce = await listConnections(context, undefined, db)
    keep('connection', connections, [
      ...inForce.map(({ id, state }) => ({ id, state })),
      ...inForce.filter(({ kind }) => kind === 'smtp').map(() => ({ id: 0 })),
    ])
  }
  for (const [type, table] of [
    ['google_account', googleAccountsTable],
    ['redirect_domain', redirectDomainsTable],
  ] as const) {
    const ids = idsOf(type)
    if (ids.length > 0) keep(type, ids, await db.select({ id: table.id }).from(table).where(inArray(table.id, ids)))
  }
  for (const signal of signals.filter(({ subject_type }) => subject_type === 'source'))
    states.set(`source ${signal.subject_id}`, await readSourceState(db, signal))
  const emails = await Promise.all(idsOf('mail').map(async (id) => ({ id, got_through: await hasGotThrough(db, id) })))
  keep(
    'mail',
    emails.map(({ id }) => id),
    emails.filter(({ got_through }) => got_through !== null),
  )
  return states
}

/** Returns the lead that ended a silence; null without one, or if the site was removed or has no campaign. */
async function readSourceState(db: DbOrTx, { subject_id, evidence }: OpenSignal): Promise<SubjectState | null> {
  const [site = '', provider = ''] = subject_id.split('/')
  const since = String(evidence.last_lead_at ?? '1970-01-01')
  const { id, campaign_id, deleted_at } = clientSitesTable
  const isThere = and(eq(id, Number(site)), isNotNull(campaign_id), isNull(deleted_at))
  if ((await db.$count(clientSitesTable, isThere)) === 0) return null
  const { rows } = await db.execute<{ id: number; at: string }>(sql`
    select id, ${isoSql('occurred_at')} as at from ${leadsTable}
    where clientsite_id = ${Number(site)} and lower(lead_s) = ${provider} and occurred_at > ${since}::timestamptz
    order by occurred_at limit 1`)
  const [lead] = rows
  return lead ? { lead_id: lead.id, lead_at: lead.at } : null
}
