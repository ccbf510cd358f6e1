import { asc, eq, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError, staleVersionError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { parseKeywords, spamContract } from '../contract.ts'
import { blacklistTable, spammersTable } from '../schema.ts'

export const spamHandlers = implementContract(spamContract, {
  keywords: ({ db }) => readBlacklist(db),

  saveKeywords: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx.select().from(blacklistTable).for('update')
      if (!before) throw notFoundError()
      if (body.version !== undefined && body.version < before.version)
        throw staleVersionError(
          spamContract.saveKeywords,
          'Somebody changed the blacklist meanwhile',
          await readBlacklist(tx),
        )
      const keywords = parseKeywords(body.keywords).join('\n')
      if (keywords !== before.keywords) {
        await tx.update(blacklistTable).set({ keywords, version: sql`version + 1` })
        const version = before.version + 1
        await writeAudit(tx, actor, {
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
      .select(spammerColumns)
      .from(spammersTable)
      .orderBy(asc(sql`lower(${spammersTable.name})`), spammersTable.id),

  addSpammer: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx
        .insert(spammersTable)
        .values({ ...body, phone_key: toPhoneKey(body.phone) })
        .returning(spammerColumns)
      await writeAudit(tx, actor, { kind: 'spammer', rowId: made!.id, before: null, after: body })
      return made!
    }),

  removeSpammer: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx.delete(spammersTable).where(eq(spammersTable.id, params.id)).returning(spammerColumns)
      if (!before) throw notFoundError()
      await writeAudit(tx, actor, { kind: 'spammer', rowId: params.id, before, after: null })
      return undefined
    }),
})

const spammerColumns = {
  id: spammersTable.id,
  name: spammersTable.name,
  phone: spammersTable.phone,
  email: spammersTable.email,
}

async function readBlacklist(db: DbOrTx) {
  const [found] = await db.select().from(blacklistTable)
  return {
    keywords: parseKeywords(found?.keywords ?? '').map((keyword) => ({ keyword })),
    version: found?.version ?? 1,
  }
}
