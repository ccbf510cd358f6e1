import { and, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { JsonText } from '#core/http/handle.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { noCampaignId, wonProgress } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type LeadReader, leadsJsonQuery } from '#domains/leads/model/serializer.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import type { RuleRehearsal } from '../contract.ts'
import { createKeywordSieve, recordEnd, textEnd } from './keyword-sieve.ts'
import { createSpamMatcher, type KeywordRule, type SpamMatch, type SpammerRule } from './spam-match.ts'

/** One or the other. */
type RehearsedRules = { keywords?: KeywordRule[]; spammers?: SpammerRule[] }

const shownLeads = 20
const rehearsedMonths = 12

/** Returns what these rules would have hit in the last 12 months. The matcher of new leads decides. */
export async function rehearseRules(db: DbOrTx, reader: LeadReader, rules: RehearsedRules): Promise<JsonText> {
  const [found, of] = await Promise.all([findRuleHits(db, reader.me, rules), countRecentLeads(db, reader.me)])
  const hits = found.sort((a, b) => b.occurred_at.getTime() - a.occurred_at.getTime() || b.id - a.id)
  const numbers: Omit<RuleRehearsal, 'leads'> = {
    hits: hits.length,
    of,
    verified: hits.filter(({ confirmed }) => confirmed).length,
    won: hits.filter(({ client_progress }) => client_progress === wonProgress).length,
    value: Math.round(hits.reduce((sum, { client_value }) => sum + (client_value ?? 0) * 100, 0)) / 100,
    campaigns: await countByCampaign(db, hits),
  }
  const newest = hits.slice(0, shownLeads).map(({ id }) => id)
  const { rows } = await db.execute<{ json: string }>(leadsJsonQuery(reader, newest))
  return new JsonText(`${JSON.stringify(numbers).slice(0, -1)},"leads":${rows[0]!.json}}`)
}

const leadColumns = {
  id: leadsTable.id,
  campaign_id: leadsTable.campaign_id,
  occurred_at: leadsTable.occurred_at,
  confirmed: leadsTable.confirmed,
  client_progress: leadsTable.client_progress,
  client_value: leadsTable.client_value,
  phone_key: leadsTable.phone_key,
  lead_name: leadsTable.lead_name,
  lead_email: leadsTable.lead_email,
  message: leadsTable.message,
  last_url: leadsTable.last_url,
}
type HitLead = Pick<
  typeof leadsTable.$inferSelect,
  'id' | 'campaign_id' | 'occurred_at' | 'confirmed' | 'client_progress' | 'client_value'
> & { matches: SpamMatch[] }

/** Returns the leads of the last 12 months that these rules hit, of those that this person sees. */
export async function findRuleHits(db: DbOrTx, me: CurrentUser, rules: RehearsedRules): Promise<HitLead[]> {
  const { keywords = [], spammers = [] } = rules
  const findSpam = createSpamMatcher({ keywords, spammers })
  const hits: HitLead[] = []
  for await (const candidates of readCandidates(db, rules, visibleLeadsCondition(me)))
    for (const lead of candidates) {
      const matches = findSpam(lead)
      if (matches.length === 0) continue
      const { id, campaign_id, occurred_at, confirmed, client_progress, client_value } = lead
      hits.push({ id, campaign_id, occurred_at, confirmed, client_progress, client_value, matches })
    }
  return hits
}

/** Reads the leads of the last 12 months that these rules may hit; for keywords a month at a time. */
async function* readCandidates(db: DbOrTx, { keywords = [], spammers = [] }: RehearsedRules, scope?: SQL) {
  if (spammers.length > 0)
    yield await readLeads(db, and(spanCondition(rehearsedMonths, 0), isOfSpammer(spammers), scope))
  if (keywords.length === 0) return
  const sift = createKeywordSieve(keywords)
  for await (const records of readRecords(db, scope)) {
    const ids = sift(records)
    if (ids.length > 0) yield await readLeads(db, and(sql`${leadsTable.id} = any(${sql.param(ids)}::int[])`, scope))
  }
}

/**
 * Reads the texts of all leads, as the sieve takes them: PostgreSQL writes the next month while this one is looked at. A hundred patterns in
 * PostgreSQL, with or without a trigram index, took it ten times as long: bench/rehearsals.ts.
 */
async function* readRecords(db: DbOrTx, scope?: SQL): AsyncGenerator<string> {
  const { id, lead_name, lead_email, message, last_url } = leadsTable
  const read = async (month: number) => {
    const texts = sql`concat_ws(${textEnd}, ${id}, ${lead_name}, ${lead_email}, ${message}, ${last_url})`
    const { rows } = await db.execute<{ records: string | null }>(sql`
      select string_agg(replace(${texts}, ${recordEnd}, ' '), ${recordEnd}) || ${recordEnd} as records
      from ${leadsTable} where ${and(spanCondition(month, month - 1), scope)}`)
    return rows[0]!.records ?? ''
  }
  let next = read(rehearsedMonths)
  for (let month = rehearsedMonths - 1; month >= 0; month--) {
    const records = await next
    if (month > 0) {
      next = read(month)
      next.catch(() => {}) // thrown where it is waited for
    }
    yield records
  }
}

const readLeads = (db: DbOrTx, which: SQL | undefined) => db.select(leadColumns).from(leadsTable).where(which)

/** Reads all leads of the last 12 months, a month at a time: a year of messages is more than memory should hold. */
export async function* readRecentLeads(db: DbOrTx) {
  for (let month = rehearsedMonths; month > 0; month--) yield await readLeads(db, spanCondition(month, month - 1))
}

/** The last part has no end: a provider's clock may be ahead of ours. */
const spanCondition = (from: number, to: number): SQL =>
  sql`${leadsTable.occurred_at} >= now() - make_interval(months => ${from})${
    to === 0 ? sql`` : sql` and ${leadsTable.occurred_at} < now() - make_interval(months => ${to})`
  }`

const isOfSpammer = (spammers: SpammerRule[]): SQL | undefined =>
  or(
    inArray(
      leadsTable.phone_key,
      spammers.flatMap(({ phone_key }) => phone_key ?? []),
    ),
    inArray(
      leadsTable.email_key,
      spammers.flatMap(({ email }) => email?.toLowerCase() ?? []),
    ),
  )

export const countRecentLeads = (db: DbOrTx, me: CurrentUser): Promise<number> =>
  db.$count(leadsTable, and(spanCondition(rehearsedMonths, 0), visibleLeadsCondition(me)))

/** The campaigns of these leads, the one with most of them first; leads without a campaign come under null. */
async function countByCampaign(db: DbOrTx, hits: HitLead[]): Promise<RuleRehearsal['campaigns']> {
  const counts = Map.groupBy(hits, ({ campaign_id }) => campaign_id)
  const named = await db
    .select({ id: campaignsTable.id, name: campaignsTable.name })
    .from(campaignsTable)
    .where(inArray(campaignsTable.id, [...counts.keys()]))
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return [...counts]
    .map(([id, leads]) => ({ id: id === noCampaignId ? null : id, name: names.get(id) ?? null, hits: leads.length }))
    .sort((a, b) => b.hits - a.hits || (a.id ?? 0) - (b.id ?? 0))
}
