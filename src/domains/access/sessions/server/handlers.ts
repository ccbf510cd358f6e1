import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { userSessionsContract } from '#domains/access/contract.ts'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import { revokeOtherAccess } from '#domains/access/server/session-tokens.ts'
import { implementContract } from '#domains/app-context.ts'

export const userSessionsHandlers = implementContract(userSessionsContract, {
  list: async ({ db, params }) => {
    await requireUser(db, params.id)
    const { created_at, expires_at, address, via, user_id } = sessionsTable
    return db
      .select({ created_at, expires_at, address, via })
      .from(sessionsTable)
      .where(and(eq(user_id, params.id), gt(expires_at, sql`now()`), ne(via, 'see_as')))
      .orderBy(desc(created_at), sessionsTable.token_hash)
      .limit(200)
  },

  end: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      await requireUser(tx, params.id, { lock: true }) // a concurrent sign-in finishes before, or starts after
      await revokeOtherAccess(tx, params.id)
      await writeAudit(tx, actor, {
        kind: 'user',
        rowId: params.id,
        before: { sessions: 'open' },
        after: { sessions: 'ended' },
      })
    }),
})

async function requireUser(db: DbOrTx, id: number, { lock = false } = {}) {
  const user = db
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.id, id), isNull(usersTable.deleted_at)))
  const [found] = await (lock ? user.for('no key update') : user)
  if (!found) throw notFoundError()
}
