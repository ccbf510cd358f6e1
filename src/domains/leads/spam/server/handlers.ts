import { asc, inArray, sql } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import { type DbOrTx, runTransaction, type Tx } from '#core/db/db.ts'
import { insertRows } from '#core/db/insert-rows.ts'
import { textOrderSql } from '#core/db/list-sql.ts'
import { isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { createBatch } from '#domains/leads/batch/server/create-batch.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { toLeadReader } from '#domains/leads/model/serializer.ts'
import { foldKeyword, parseKeywords, spamContract } from '../contract.ts'
import { blacklistTable, keywordsTable, ruleHitsTable, spammersTable } from '../schema.ts'
import { findRuleHits, rehearseRules } from './rehearse.ts'
import { removeSpammer, spammerColumns } from './remove-spammer.ts'
import { type KeywordRule, readKeywords, removeStar } from './spam-match.ts'
import { findWrongHits, readSpamRules } from './spam-rules.ts'
import { suggestKeywords } from './suggest-keywords.ts'
import { findRuleLeads, findRuleTag } from './undo-rule.ts'

export const spamHandlers = implementContract(spamContract, {
  keywords: ({ db }) => readBlacklist(db),

  saveKeywords: ({ db, me, body, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx.select().from(blacklistTable).for('update')
      if (!before) throw notFoundError()
      if (isStale(body.version, before.version))
        throw staleVersionError(
          spamContract.saveKeywords,
          'Someone else has changed the blacklist',
          await readBlacklist(tx),
        )
      const stored = await readKeywords(tx)
      const wanted = parseKeywords(body.keywords)
      if (wanted.join('\n') !== joinKeywords(stored)) {
        const known = new Map(stored.map((rule) => [foldKeyword(rule.keyword), rule]))
        if (!body.confirmed)
          await assertHarmless(
            tx,
            me,
            wanted.filter((keyword) => !known.has(foldKeyword(keyword))),
          )
        await writeKeywords(tx, actor, known, wanted)
        const version = before.version + 1
        await tx.update(blacklistTable).set({ version })
        await writeAudit(tx, actor, {
          kind: 'blacklist',
          rowId: 1,
          before: { keywords: joinKeywords(stored) },
          after: { keywords: wanted.join('\n') },
          version,
        })
      }
      return readBlacklist(tx)
    }),

  rehearseKeywords: ({ db, body, ...call }) => {
    const keywords = parseKeywords(body.keywords).map((keyword, id) => ({ id, keyword }))
    return rehearseRules(db, toLeadReader(call), { keywords })
  },

  rehearseSpammer: ({ db, body, ...call }) => {
    const spammers = [{ id: 0, name: '', phone_key: toPhoneKey(body.phone), email: body.email }]
    return rehearseRules(db, toLeadReader(call), { spammers })
  },

  rules: async ({ db }) => readSpamRules(db, await findWrongHits(db)),

  suggestKeywords: ({ db, me }) => suggestKeywords(db, me),

  undoRule: (call) => {
    const { db, params, body } = call
    return runTransaction(db, async (tx) => {
      const tag = await findRuleTag(tx, params.id)
      if (tag === null) throw notFoundError()
      const value = { rule: params.id, tag, ...body }
      const ids = await findRuleLeads(tx, toLeadReader(call), value)
      return createBatch(tx, call, { action: 'undo_rule', value }, ids)
    })
  },

  spammers: ({ db }) =>
    db
      .select(spammerColumns)
      .from(spammersTable)
      .orderBy(asc(textOrderSql(spammersTable.name)), spammersTable.id),

  addSpammer: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx
        .insert(spammersTable)
        .values({ ...body, phone_key: toPhoneKey(body.phone), created_by: actor.me?.id ?? null })
        .returning(spammerColumns)
      await writeAudit(tx, actor, { kind: 'spammer', rowId: made!.id, before: null, after: body })
      return made!
    }),

  removeSpammer: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      if (!(await removeSpammer(tx, actor, params.id))) throw notFoundError()
    }),
})

async function readBlacklist(db: DbOrTx) {
  const [found] = await db.select({ version: blacklistTable.version }).from(blacklistTable)
  const keywords = await readKeywords(db)
  return { keywords: keywords.map(({ keyword }) => ({ keyword })), version: found?.version ?? 1 }
}

const joinKeywords = (rules: KeywordRule[]) => rules.map(({ keyword }) => keyword).join('\n')

const fewestLetters = 3
const harmlessShare = 0.05

/** Throws 422 for new keywords that are so short, or hit so much, that they are likely a mistake, with the numbers of each. */
async function assertHarmless(tx: Tx, me: CurrentUser, added: string[]): Promise<void> {
  if (added.length === 0) return
  const keywords = added.map((keyword, id) => ({ id, keyword }))
  const { hits: found, of } = await findRuleHits(tx, me, { keywords })
  const hits = new Map<string, number>()
  for (const { matches } of found)
    for (const { rule } of matches) hits.set(added[rule]!, (hits.get(added[rule]!) ?? 0) + 1)
  const refused = added.flatMap((keyword) => {
    const count = hits.get(keyword) ?? 0
    const isShort = (removeStar(keyword).match(/[\p{L}\p{N}]/gu) ?? []).length < fewestLetters
    if (!isShort && count <= of * harmlessShare) return []
    const share = of === 0 ? 0 : Math.round((count / of) * 1000) / 10
    return [
      `"${keyword}" ${isShort ? `has fewer than ${fewestLetters} letters and ` : ''}hits ${count.toLocaleString('en-US')} of ${countOf(of, 'lead')} of the last 12 months (${share}%)`,
    ]
  })
  if (refused.length > 0) throw validationError({ keywords: refused })
}

/** Writes the list in this order. Existing keywords keep their rows, with id, creator and time. */
async function writeKeywords(tx: Tx, actor: AuditActor, known: Map<string, KeywordRule>, wanted: string[]) {
  const kept = new Set(wanted.map((keyword) => known.get(foldKeyword(keyword))?.id))
  const removed = [...known.values()].map(({ id }) => id).filter((id) => !kept.has(id))
  await tx.delete(ruleHitsTable).where(inArray(ruleHitsTable.rule_id, removed))
  await tx.delete(keywordsTable).where(inArray(keywordsTable.id, removed))
  const places = wanted.map((keyword, position) => ({ keyword, position, id: known.get(foldKeyword(keyword))?.id }))
  const stay = places.filter(({ id }) => id !== undefined)
  if (stay.length > 0)
    await tx.execute(sql`
      update ${keywordsTable} set keyword = place.keyword, position = place.position
      from jsonb_to_recordset(${JSON.stringify(stay)}::jsonb) as place (id int, keyword text, position int)
      where ${keywordsTable.id} = place.id`)
  const added = places
    .filter(({ id }) => id === undefined)
    .map(({ keyword, position }) => ({ keyword, position, created_by: actor.me?.id ?? null }))
  if (added.length > 0) await insertRows(tx, keywordsTable, added, { id: keywordsTable.id })
}
