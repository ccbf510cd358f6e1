import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import type { Queries } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { sessions as contract } from '#domains/access/contract.ts'
import { sessions as openSessions, users } from '#domains/access/schema.ts'
import { endOtherAccess } from '#domains/access/server/session-tokens.ts'

export const sessionsCalls = implement(contract, {
  list: async ({ db, params }) => {
    await needUser(db, params.id)
    const { created_at, expires_at, address, via, user_id } = openSessions
    const found = await db
      .select({ created_at, expires_at, address, via })
      .from(openSessions)
      .where(and(eq(user_id, params.id), gt(expires_at, sql`now()`)))
      .orderBy(desc(created_at), openSessions.token_hash)
      .limit(200)
    return found.map((one) => ({
      ...one,
      created_at: one.created_at.toISOString(),
      expires_at: one.expires_at.toISOString(),
    }))
  },

  end: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      await needUser(tx, params.id)
      await endOtherAccess(tx, params.id)
      await record(tx, actor, {
        kind: 'user',
        rowId: params.id,
        before: { sessions: 'open' },
        after: { sessions: 'ended' },
      })
      return undefined
    }),
})

async function needUser(db: Queries, id: number) {
  const [found] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deleted_at)))
  if (!found) throw notFound()
}
