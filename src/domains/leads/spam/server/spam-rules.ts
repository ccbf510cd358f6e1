import { and, count, eq, gte, max, or, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { SpamRule } from '../contract.ts'
import { keywordsTable, ruleHitsTable, spammersTable } from '../schema.ts'

/** Returns the keywords in their order, then the spammers in theirs, each with what it hit. */
export async function readSpamRules(db: DbOrTx): Promise<SpamRule[]> {
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
    .orderBy(sql`lower(${spammersTable.name})`, spammersTable.id)
  const hits = await countHits(db)
  const wrong = await countWrongHits(db)
  return [...keywords, ...spammers].map((rule) => ({
    ...rule,
    created_at: rule.created_at?.toISOString() ?? null,
    hits: hits.get(rule.id)?.hits ?? 0,
    last_hit_at: hits.get(rule.id)?.last?.toISOString() ?? null,
    wrong: wrong.get(rule.id) ?? 0,
  }))
}

async function countHits(db: DbOrTx) {
  const rows = await db
    .select({ rule: ruleHitsTable.rule_id, hits: count(), last: max(ruleHitsTable.hit_at) })
    .from(ruleHitsTable)
    .groupBy(ruleHitsTable.rule_id)
  return new Map(rows.map((row) => [row.rule, row]))
}

/** Asked in two steps, because leads may be on other machines than the hits. */
async function countWrongHits(db: DbOrTx): Promise<Map<number, number>> {
  const hits = await db.select({ rule: ruleHitsTable.rule_id, lead: ruleHitsTable.lead_id }).from(ruleHitsTable)
  const ids = [...new Set(hits.map(({ lead }) => lead))]
  const good = await db
    .select({ id: leadsTable.id })
    .from(leadsTable)
    .where(
      and(
        sql`${leadsTable.id} = any(${sql.param(ids)}::int[])`,
        or(leadsTable.confirmed, eq(leadsTable.hide, false), gte(leadsTable.rating, 4)),
      ),
    )
  const goodIds = new Set(good.map(({ id }) => id))
  const counts = new Map<number, number>()
  for (const { rule, lead } of hits) if (goodIds.has(lead)) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}
