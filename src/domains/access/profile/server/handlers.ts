import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { notFoundError } from '#core/http/errors.ts'
import { isEqualBytes } from '#core/secrets/secrets.ts'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import type { CurrentUser } from '#domains/access/server/current-user.ts'
import { type HideableColumns, readCurrentUserDto } from '#domains/access/server/current-user-dto.ts'
import { implementContract } from '#domains/app-context.ts'
import { profileContract } from '../contract.ts'

/** Excludes read-only views that others opened as this person. */
const isOwnSession = (me: CurrentUser) =>
  and(eq(sessionsTable.user_id, me.id), gt(sessionsTable.expires_at, sql`now()`), ne(sessionsTable.via, 'see_as'))

export const createProfileHandlers = (declared: { hideableColumns: HideableColumns }) =>
  implementContract(profileContract, {
    sessions: async ({ db, me }) => {
      const { id, token_hash, created_at, last_used_at, address, user_agent } = sessionsTable
      const found = await db
        .select({ id, token_hash, created_at, last_used_at, address, user_agent })
        .from(sessionsTable)
        .where(isOwnSession(me))
        .orderBy(desc(last_used_at), desc(id))
        .limit(200)
      return found.map(({ token_hash: hash, ...session }) => ({
        ...session,
        current: isEqualBytes(hash, me.sessionHash),
      }))
    },

    endSession: ({ db, me, params, actor }) =>
      db.transaction(async (tx) => {
        const ended = await tx
          .delete(sessionsTable)
          .where(and(eq(sessionsTable.id, params.id), isOwnSession(me)))
          .returning({ id: sessionsTable.id })
        if (ended.length === 0) throw notFoundError()
        await writeAudit(tx, actor, {
          kind: 'user',
          rowId: me.id,
          before: { session: 'open' },
          after: { session: 'ended' },
        })
      }),

    saveSettings: ({ db, me, body, actor }) =>
      db.transaction(async (tx) => {
        await tx.update(usersTable).set(body).where(eq(usersTable.id, me.id))
        await writeAudit(tx, actor, {
          kind: 'user',
          rowId: me.id,
          before: { time_format: me.timeFormat },
          after: body,
        })
        return readCurrentUserDto(tx, { ...me, timeFormat: body.time_format }, declared)
      }),
  })
