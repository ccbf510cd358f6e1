import { asc, eq, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import type { Queries } from '#core/db/db.ts'
import { conflict, notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { phoneKey } from '#domains/leads/model/phone-key.ts'
import { keywordsOf, spam } from '../contract.ts'
import { blacklist, spammers } from '../schema.ts'

export const spamCalls = implement(spam, {
  keywords: ({ db }) => readBlacklist(db),

  saveKeywords: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx.select().from(blacklist).for('update')
      if (!before) throw notFound()
      if (body.version !== undefined && body.version < before.version)
        throw conflict('Somebody changed the blacklist meanwhile', { newer: await readBlacklist(tx) })
      const keywords = keywordsOf(body.keywords).join('\n')
      if (keywords !== before.keywords) {
        await tx.update(blacklist).set({ keywords, version: sql`version + 1` })
        const version = before.version + 1
        await record(tx, actor, {
          kind: 'blacklist',
          rowId: 1,
          before: { keywords: before.keywords },
          after: { keywords },
          version,
        })
      }
      return readBlacklist(tx)
    }),

  spammers: ({ db }) =>
    db
      .select(row)
      .from(spammers)
      .orderBy(asc(sql`lower(${spammers.name})`), spammers.id),

  addSpammer: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx
        .insert(spammers)
        .values({ ...body, phone_key: phoneKey(body.phone) })
        .returning(row)
      await record(tx, actor, { kind: 'spammer', rowId: made!.id, before: null, after: body })
      return made!
    }),

  removeSpammer: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx.delete(spammers).where(eq(spammers.id, params.id)).returning(row)
      if (!before) throw notFound()
      await record(tx, actor, { kind: 'spammer', rowId: params.id, before, after: null })
      return undefined
    }),
})

const row = { id: spammers.id, name: spammers.name, phone: spammers.phone, email: spammers.email }

async function readBlacklist(db: Queries) {
  const [found] = await db.select().from(blacklist)
  return {
    keywords: keywordsOf(found?.keywords ?? '').map((keyword) => ({ keyword })),
    version: found?.version ?? 1,
  }
}
