import { and, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { type CalendarDay, formatLongDay, getToday } from '#contract/days.ts'
import type { BeforeJson } from '#contract/instants.ts'
import { formatBriefMoney } from '#contract/money.ts'
import { buildRecordPath } from '#contract/record-paths.ts'
import type { Db } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignAreasTable } from '#domains/campaigns/area/schema.ts'
import { type HandoverKey, type HandoverStep, handoverKeys } from '#domains/campaigns/handover/contract.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import type { campaignsTable } from '#domains/campaigns/schema.ts'
import { termsKindTitles } from '#domains/campaigns/terms/labels.ts'
import { isInForce, readStoredTerms } from '#domains/campaigns/terms/public.ts'
import { timezoneLabels } from '#domains/clients/labels.ts'
import { isInvitedSql, isSwitchedOffSql, readClientRecipients } from '#domains/clients/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { callRailAccountsTable, callRailCompaniesTable } from '#domains/leads/callrail/schema.ts'
import { mailState } from '#domains/leads/labels.ts'
import { mailsTable, testLeadsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { messageState, messagesTable } from '#domains/messages/schema.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { neverLiveSql } from '#domains/sites/public.ts'
import { mailerNotConnected } from '#integrations/smtp/smtp.ts'

type Campaign = typeof campaignsTable.$inferSelect
type Site = Pick<typeof clientSitesTable.$inferSelect, 'id' | 'url' | 'status' | 'problem' | 'checked_at'> & {
  never_live: 0 | 1
}
/** A step without its key; without a door of its own it is done on the campaign's page. */
type FoundStep = { done: boolean; says: string; at?: Date | null; door?: string }

/** Returns what must be true of a campaign before it is handed over. Throws 404 for a campaign that this person may not see. */
export async function readHandover(
  db: Db,
  me: CurrentUser,
  campaignId: number,
  context: AppContext,
): Promise<BeforeJson<HandoverStep>[]> {
  const campaign = await requireCampaign(db, me, campaignId)
  const sites = await readSites(db, campaignId)
  const [arrivals, mail, area, terms] = await Promise.all([
    checkArrivals(db, campaignId, sites),
    checkMail(db, campaign, context),
    checkArea(db, campaignId),
    checkTerms(db, campaign, getToday(context.settings.AGENCY_TIMEZONE)),
  ])
  const page = buildRecordPath('campaign', campaignId)
  const found: Record<HandoverKey, FoundStep> = {
    site: checkSites(sites),
    arrivals,
    mail,
    hours: { ...checkHours(campaign), door: `${page}?tab=team` },
    area: { ...area, door: `${page}?tab=area` },
    terms,
    target: checkTarget(campaign),
  }
  return handoverKeys.map((key) => ({
    ...{ key, at: null, ...found[key] },
    door: found[key].door && mayOpen(me, found[key].door) ? found[key].door : page,
  }))
}

const mayOpen = ({ permissions }: CurrentUser, door: string) =>
  (permissions.clients || !door.startsWith('/client/')) && (permissions.clientSites || !door.startsWith('/site/'))

const readSites = (db: Db, campaignId: number): Promise<Site[]> =>
  db
    .select({
      id: clientSitesTable.id,
      url: clientSitesTable.url,
      status: clientSitesTable.status,
      problem: clientSitesTable.problem,
      checked_at: clientSitesTable.checked_at,
      never_live: neverLiveSql(sql`${clientSitesTable}.id`, clientSiteLogsTable),
    })
    .from(clientSitesTable)
    .where(and(eq(clientSitesTable.campaign_id, campaignId), isNull(clientSitesTable.deleted_at)))
    .orderBy(clientSitesTable.id)

const getSiteDoor = ({ id }: Site) => buildRecordPath('client_site', id)

function checkSites(sites: readonly Site[]): FoundStep {
  const [first] = sites
  if (!first) return { done: false, says: 'This campaign has no client site' }
  const failing = sites.find(({ status }) => status !== 1)
  const { checked_at: at, problem, status, never_live } = failing ?? first
  const door = getSiteDoor(failing ?? first)
  if (!failing)
    return {
      done: true,
      says: sites.length === 1 ? `${getHost(first)} is live` : `${sites.length} sites are live`,
      at,
      door,
    }
  const state = never_live ? 'not reached yet' : 'offline'
  const reason = status === null ? (problem ?? 'not checked yet') : `${state}${problem ? `: ${problem}` : ''}`
  return { done: false, says: `${getHost(failing)}: ${reason}`, at, door }
}

const getHost = ({ url }: Site) => URL.parse(url)?.host ?? url

/** What people typed or imported did not arrive: such leads have neither an origin nor a site. */
async function checkArrivals(db: Db, campaignId: number, sites: readonly Site[]): Promise<FoundStep> {
  const [last] = await db
    .select({ at: leadsTable.occurred_at, type: leadsTable.lead_type })
    .from(leadsTable)
    .where(
      and(eq(leadsTable.campaign_id, campaignId), or(ne(leadsTable.origin, ''), isNotNull(leadsTable.clientsite_id))),
    )
    .orderBy(desc(leadsTable.occurred_at), desc(leadsTable.id))
    .limit(1)
  const found = last
    ? { done: true, says: `A ${last.type.toLowerCase()} came in`, at: last.at }
    : ((await checkCompany(db, campaignId)) ?? { done: false, says: 'No call or form has come in yet' })
  return { ...found, ...(sites[0] && { door: getSiteDoor(sites[0]) }) }
}

/** A hook or a reading of the sites' company counts before it has brought a lead. */
async function checkCompany(db: Db, campaignId: number): Promise<FoundStep | null> {
  const { company_id, number, account_id, is_active, hooked_at } = callRailCompaniesTable
  const identifier = clientSitesTable.callrail_campaign_identifier
  const isConnected = and(is_active, eq(callRailAccountsTable.outcome, 'done'))
  const [company] = await db
    .select({
      hooked_at,
      read_at: sql`case when ${isConnected} then ${callRailAccountsTable.looked_at} end`.mapWith(
        callRailAccountsTable.looked_at,
      ),
    })
    .from(clientSitesTable)
    .innerJoin(callRailCompaniesTable, or(eq(company_id, identifier), eq(number, identifier)))
    .leftJoin(callRailAccountsTable, eq(callRailAccountsTable.account_id, account_id))
    .where(and(eq(clientSitesTable.campaign_id, campaignId), isNull(clientSitesTable.deleted_at)))
    .orderBy(sql`${hooked_at} desc nulls last`, sql`2 desc nulls last`, company_id)
    .limit(1)
  if (company?.hooked_at)
    return { done: true, says: 'CallRail’s webhook works, but no lead has come in yet', at: company.hooked_at }
  if (company?.read_at)
    return { done: true, says: 'CallRail is read, but no lead has come in yet', at: company.read_at }
  return null
}

/** The email of the client works if the last one about this campaign was sent, of a lead or of a test. */
async function checkMail(db: Db, campaign: Campaign, { mailer }: AppContext): Promise<FoundStep> {
  const door = buildRecordPath('client', campaign.client_id)
  const [client] = await db
    .select({
      name: clientsTable.name,
      isOff: isSwitchedOffSql,
      disabled: clientsTable.disable_notifications,
      invited: isInvitedSql,
    })
    .from(clientsTable)
    .leftJoin(usersTable, and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at)))
    .where(eq(clientsTable.id, campaign.client_id))
  if (client?.isOff) return { done: false, says: `${client.name} is switched off`, door }
  if (client?.disabled) return { done: false, says: `Notifications are disabled for ${client.name}`, door }
  if ((await readClientRecipients(db, campaign.client_id)).length === 0)
    return {
      done: false,
      says: `${client?.name} has ${client?.invited ? 'not accepted the invitation yet' : 'no email address'}`,
      door,
    }
  if (!(await mailer.isConnected(db))) return { done: false, says: mailerNotConnected }
  const last = await readLastEmail(db, campaign)
  if (!last) return { done: false, says: 'No test lead was sent yet' }
  const { what, to, state, error, at } = last
  if (state === 'sent')
    return error === null
      ? { done: true, says: `${what} was sent to ${to}`, at }
      : { done: false, says: `${what} did not reach everyone. ${error}`, at }
  const isOpen = state === messageState.queued || state === messageState.sending
  return {
    done: false,
    says: isOpen ? `${what} is on its way to ${to}` : `${what} to ${to} was not sent: ${error}`,
    at,
  }
}

async function readLastEmail(db: Db, { id, client_id }: Campaign) {
  const [[test], [mail]] = await Promise.all([
    db
      .select({
        to: messagesTable.recipient,
        state: messagesTable.state,
        error: messagesTable.error,
        at: messagesTable.created_at,
      })
      .from(testLeadsTable)
      .innerJoin(messagesTable, eq(messagesTable.id, testLeadsTable.message_id))
      .where(eq(testLeadsTable.campaign_id, id)),
    db
      .select({
        recipients: mailsTable.recipients,
        state: mailsTable.state,
        error: mailsTable.error,
        at: mailsTable.created_at,
      })
      .from(mailsTable)
      .where(
        and(
          eq(mailsTable.campaign_id, id),
          eq(mailsTable.client_id, client_id),
          ne(mailsTable.state, mailState.cancelled),
        ),
      )
      .orderBy(desc(mailsTable.id))
      .limit(1),
  ])
  if (test && (!mail || mail.at < test.at)) return { what: 'A test lead', ...test }
  return mail && { what: 'The last lead', to: mail.recipients[0] ?? '', ...mail }
}

/** Saves before the time of the last one was kept have only raised the version. */
const checkHours = ({ hours_saved_at, hours_version, timezone }: Campaign): FoundStep =>
  hours_saved_at || hours_version > 1
    ? { done: true, says: timezoneLabels[timezone] ?? timezone, at: hours_saved_at }
    : { done: false, says: 'Not set: the preset hours apply' }

async function checkArea(db: Db, campaignId: number): Promise<FoundStep> {
  const [area] = await db
    .select({ points: campaignAreasTable.points, at: campaignAreasTable.updated_at })
    .from(campaignAreasTable)
    .where(eq(campaignAreasTable.campaign_id, campaignId))
  return area && area.points.length > 0
    ? { done: true, says: `An area of ${area.points.length} points`, at: area.at }
    : { done: false, says: 'No area was drawn' }
}

async function checkTerms(db: Db, { id, service_fee }: Campaign, today: CalendarDay): Promise<FoundStep> {
  const terms = (await readStoredTerms(db, [id])).get(id)?.terms ?? []
  const now = terms.find((one) => isInForce(one, today))
  if (now) return { done: true, says: termsKindTitles[now.kind] }
  const fee = `the service fee of ${formatBriefMoney(service_fee)} applies`
  const next = terms.find(({ from }) => from > today)
  const until = service_fee === 0 ? '' : `; until then ${fee}`
  if (next) return { done: true, says: `${termsKindTitles[next.kind]} from ${formatLongDay(next.from)}${until}` }
  const isEnded = terms.length > 0
  if (service_fee === 0) return { done: false, says: isEnded ? 'The last terms have ended' : 'No terms were saved' }
  return { done: false, says: `${isEnded ? 'Ended' : 'Not saved'}: ${fee}` }
}

function checkTarget(campaign: Campaign): FoundStep {
  const { initial_target, month_3_target, month_6_target, month_9_target, month_12_target } = campaign
  const months: [number, number | null][] = [
    [3, month_3_target],
    [6, month_6_target],
    [9, month_9_target],
    [12, month_12_target],
  ]
  if (initial_target > 0) return { done: true, says: `${countLeads(initial_target)} a month` }
  const [month, target] = months.find(([, leads]) => leads) ?? []
  return target
    ? { done: true, says: `${countLeads(target)} a month from month ${month}` }
    : { done: false, says: 'No target was set' }
}

const countLeads = (leads: number) => countOf(leads, 'lead')
