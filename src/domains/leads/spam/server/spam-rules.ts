import { and, eq, gte, isNotNull, max, or, sql } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { textOrderSql } from '#core/db/list-sql.ts'
import { usersTable } from '#domains/access/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { SpamRule } from '../contract.ts'
import { keywordsTable, ruleHitsTable, spammersTable } from '../schema.ts'

/** Returns the keywords and then the spammers, each in order, with their hits; `wrong` is from `findWrongHits`. */
export async function readSpamRules(db: DbOrTx, wrong: WrongHits): Promise<BeforeJson<SpamRule>[]> {
  const made = { created_by: usersTable.username }
  const keywords = await db
    .select({ id: keywordsTable.id, keyword: keywordsTable.keyword, created_at: keywordsTable.created_at, ...made })
    .from(keywordsTable)
    .leftJoin(usersTable, eq(usersTable.id, keywordsTable.created_by))
    .orderBy(keywordsTable.position, keywordsTable.id)
  const spammers = await db
    .select({ id: spammersTable.id, spammer: spammersTable.name, created_at: spammersTable.created_at, ...made })
    .from(spammersTable)
    .leftJoin(usersTable, eq(usersTable.id, spammersTable.created_by))
    .orderBy(textOrderSql(spammersTable.name), spammersTable.id)
  const hits = await countHits(db)
  return [...keywords, ...spammers].map((rule) => ({
    ...rule,
    hits: hits.get(rule.id)?.hits ?? 0,
    last_hit_at: hits.get(rule.id)?.last ?? null,
    wrong: wrong.get(rule.id)?.length ?? 0,
  }))
}

const isRecentHit = sql`${ruleHitsTable.hit_at} >= now() - interval '12 months'`

async function countHits(db: DbOrTx) {
  const rows = await db
    .select({
      rule: ruleHitsTable.rule_id,
      hits: sql<number>`count(*) filter (where ${isRecentHit})`.mapWith(Number),
      last: max(ruleHitsTable.hit_at),
    })
    .from(ruleHitsTable)
    .groupBy(ruleHitsTable.rule_id)
  return new Map(rows.map((row) => [row.rule, row]))
}

/** Leads by rule. */
type WrongHits = ReadonlyMap<number, number[]>

/**
 * Returns by rule the leads of the last 12 months that it hid by mistake: a person has since verified or unhidden them or rated
 * them 4 or 5, or they called again and were answered. Runs in steps, because leads and hits may be on different machines.
 */
export async function findWrongHits(db: DbOrTx): Promise<WrongHits> {
  const hits = await db
    .select({ rule: ruleHitsTable.rule_id, lead: ruleHitsTable.lead_id })
    .from(ruleHitsTable)
    .where(isRecentHit)
    .orderBy(ruleHitsTable.id)
  const good = await findGoodLeads(db, [...new Set(hits.map(({ lead }) => lead))])
  const byRule = Map.groupBy(
    hits.filter(({ lead }) => good.has(lead)),
    ({ rule }) => rule,
  )
  return new Map([...byRule].map(([rule, found]) => [rule, found.map(({ lead }) => lead)]))
}

async function findGoodLeads(db: DbOrTx, ids: number[]): Promise<Set<number>> {
  const { id, campaign_id, phone_key, occurred_at, confirmed, hide, rating } = leadsTable
  const isHit = sql`${id} = any(${sql.param(ids)}::int[])`
  const reviewed = await db
    .select({ id })
    .from(leadsTable)
    .where(and(isHit, or(confirmed, eq(hide, false), gte(rating, 4))))
  const callers = await db
    .select({ id, campaign_id, phone_key, occurred_at })
    .from(leadsTable)
    .where(and(isHit, isNotNull(phone_key)))
  const answered = await findLastAnsweredCalls(db, [...new Set(callers.flatMap((lead) => lead.phone_key ?? []))])
  const calledAgain = callers.filter((lead) => {
    const last = answered.get(toCallerKey(lead))
    return last !== undefined && last > lead.occurred_at
  })
  return new Set([...reviewed, ...calledAgain].map((lead) => lead.id))
}

type Caller = { campaign_id: number; phone_key: string | null }
const toCallerKey = ({ campaign_id, phone_key }: Caller) => `${campaign_id}/${phone_key}`

/** Returns the last answered call by campaign and phone. Hidden calls do not count: spammers call again, and are answered. */
async function findLastAnsweredCalls(db: DbOrTx, phones: string[]): Promise<Map<string, Date>> {
  const { campaign_id, phone_key, occurred_at, lead_type, answered, hide } = leadsTable
  const calls = await db
    .select({ campaign_id, phone_key, last: max(occurred_at) })
    .from(leadsTable)
    .where(
      and(
        sql`${phone_key} = any(${sql.param(phones)}::text[])`,
        eq(hide, false),
        eq(lead_type, 'Call'),
        eq(answered, true),
      ),
    )
    .groupBy(campaign_id, phone_key)
  return new Map(calls.flatMap((call) => (call.last ? [[toCallerKey(call), call.last] as const] : [])))
}
