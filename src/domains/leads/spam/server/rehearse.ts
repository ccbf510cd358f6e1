import { and, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { JsonText } from '#core/http/json-text.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { noCampaignId, wonProgress } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type LeadReader, readLeadsJson } from '#domains/leads/model/serializer.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import type { RuleRehearsal } from '../contract.ts'
import { createKeywordSieve, recordEnd, textEnd } from './keyword-sieve.ts'
import {
  createKeywordMatcher,
  createSpamMatcher,
  type KeywordRule,
  type SpamMatch,
  type SpammerRule,
} from './spam-match.ts'

/** Either keywords or spammers. */
type RehearsedRules = { keywords?: KeywordRule[]; spammers?: SpammerRule[] }

const shownLeads = 20
const rehearsedMonths = 12

/** Returns what these rules would have hit in the last 12 months, decided by the same matcher that tags new leads. */
export async function rehearseRules(db: DbOrTx, reader: LeadReader, rules: RehearsedRules): Promise<JsonText> {
  const { hits: found, of } = await findRuleHits(db, reader.me, rules)
  const hits = found.sort((a, b) => b.occurred_at.getTime() - a.occurred_at.getTime() || b.id - a.id)
  const numbers: Omit<RuleRehearsal, 'leads'> = {
    hits: hits.length,
    of,
    verified: hits.filter(({ confirmed }) => confirmed).length,
    won: hits.filter(({ client_progress }) => client_progress === wonProgress).length,
    value: Math.round(hits.reduce((sum, { client_value }) => sum + (client_value ?? 0) * 100, 0)) / 100,
    campaigns: await countByCampaign(db, hits),
  }
  const newest = hits.slice(0, shownLeads)
  const leads = await readLeadsJson(db, reader, newest)
  return new JsonText(`${JSON.stringify(numbers).slice(0, -1)},"leads":${leads}}`)
}

/** The columns that the matcher reads. */
const matchedColumns = {
  id: leadsTable.id,
  phone_key: leadsTable.phone_key,
  lead_name: leadsTable.lead_name,
  lead_email: leadsTable.lead_email,
  message: leadsTable.message,
  last_url: leadsTable.last_url,
}
const hitColumns = {
  id: leadsTable.id,
  campaign_id: leadsTable.campaign_id,
  occurred_at: leadsTable.occurred_at,
  confirmed: leadsTable.confirmed,
  client_progress: leadsTable.client_progress,
  client_value: leadsTable.client_value,
}
type HitLead = Pick<typeof leadsTable.$inferSelect, keyof typeof hitColumns> & { matches: SpamMatch[] }

/** Returns the leads of the last 12 months that these rules hit, among those that this person sees, and the number of the latter. */
export async function findRuleHits(
  db: DbOrTx,
  me: CurrentUser,
  { keywords = [], spammers = [] }: RehearsedRules,
): Promise<{ hits: HitLead[]; of: number }> {
  const scope = visibleLeadsCondition(me)
  const { matches, of } =
    keywords.length > 0 ? await matchKeywords(db, keywords, scope) : await matchSpammers(db, spammers, scope)
  const leads = await db
    .select(hitColumns)
    .from(leadsTable)
    .where(and(sql`${leadsTable.id} = any(${sql.param([...matches.keys()])}::int[])`, scope))
  return { hits: leads.map((lead) => ({ ...lead, matches: matches.get(lead.id)! })), of }
}

/** The matches by lead, and the number of leads searched. */
type FoundMatches = { matches: Map<number, SpamMatch[]>; of: number }

async function matchSpammers(db: DbOrTx, spammers: SpammerRule[], scope?: SQL): Promise<FoundMatches> {
  const isRecent = and(spanCondition(rehearsedMonths, 0), scope)
  const findSpam = createSpamMatcher({ keywords: [], spammers })
  const candidates = await readLeads(db, and(isRecent, isOfSpammer(spammers)))
  const hits = candidates.map((lead) => [lead.id, findSpam(lead)] as const).filter(([, found]) => found.length > 0)
  return { matches: new Map(hits), of: await db.$count(leadsTable, isRecent) }
}

async function matchKeywords(db: DbOrTx, keywords: KeywordRule[], scope?: SQL): Promise<FoundMatches> {
  const found: FoundMatches = { matches: new Map(), of: 0 }
  const [sift, match] = [createKeywordSieve(keywords), createKeywordMatcher(keywords)]
  for await (const { leads, records } of readRecords(db, scope)) {
    found.of += leads
    for (const record of sift(records)) {
      const [id, ...texts] = record.split(textEnd)
      const matches = match(texts)
      if (matches.length > 0) found.matches.set(Number(id), matches)
    }
  }
  return found
}

/**
 * Reads the texts of all leads as records for the sieve, a month at a time; PostgreSQL reads the next month while the current one
 * is sifted. Matching a hundred patterns in PostgreSQL took ten times as long, with or without a trigram index:
 * bench/rehearsals.ts.
 */
async function* readRecords(db: DbOrTx, scope?: SQL): AsyncGenerator<{ leads: number; records: string }> {
  const { id, lead_name, lead_email, message, last_url } = leadsTable
  const read = async (month: number) => {
    const texts = sql`concat_ws(${textEnd}, ${id}, ${lead_name}, ${lead_email}, ${message}, ${last_url})`
    const { rows } = await db.execute<{ leads: number; records: string }>(sql`
      select count(*)::int as leads, coalesce(string_agg(replace(${texts}, ${recordEnd}, ${textEnd}) || ${recordEnd}, ''), '') as records
      from ${leadsTable} where ${and(spanCondition(month, month - 1), scope)}`)
    return rows[0]!
  }
  let next = read(rehearsedMonths)
  for (let month = rehearsedMonths - 1; month >= 0; month--) {
    const records = await next
    if (month > 0) {
      next = read(month)
      next.catch(() => {}) // thrown where it is awaited
    }
    yield records
  }
}

const readLeads = (db: DbOrTx, which: SQL | undefined) => db.select(matchedColumns).from(leadsTable).where(which)

/** The latest month has no end: a provider's clock may be ahead of ours. */
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

/** Counts these leads by campaign, the largest first; leads without a campaign are under null. */
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
