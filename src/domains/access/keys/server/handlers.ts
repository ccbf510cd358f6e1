import { and, desc, eq } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { type CurrentUser, keyPrefix } from '#domains/access/server/current-user.ts'
import { implementContract } from '#domains/app-context.ts'
import { getSelectedKeys } from '../../contract.ts'
import { usersTable } from '../../schema.ts'
import { type ApiKey, apiKeysContract } from '../contract.ts'
import { apiKeysTable } from '../schema.ts'

const apiKeyAuditKind = 'API key'

export const apiKeysHandlers = implementContract(apiKeysContract, {
  list: async ({ db, me }) => {
    const found = await db
      .select({ row: apiKeysTable, user: { id: usersTable.id, username: usersTable.username } })
      .from(apiKeysTable)
      .innerJoin(usersTable, eq(usersTable.id, apiKeysTable.user_id))
      .where(isTheirs(me))
      .orderBy(desc(apiKeysTable.id))
    return found.map(({ row, user }) => toApiKey(row, user))
  },

  create: ({ db, me, body, actor }) =>
    db.transaction(async (tx) => {
      const pages = getSelectedKeys(body.pages)
      if (!pages.every((page) => me.permissions[page])) throw validationError({ pages: ['You do not have this page'] })
      const key = `${keyPrefix}${randomToken()}`
      const { name, access } = body
      const mayExport = body.export === 1
      const expires_at = new Date(body.expires_at)
      const [made] = await tx
        .insert(apiKeysTable)
        .values({ user_id: me.id, name, access, export: mayExport, pages, expires_at, key_hash: hashSha256(key) })
        .returning()
      const row = toApiKey(made!, { id: me.id, username: me.username })
      await writeAudit(tx, actor, {
        kind: apiKeyAuditKind,
        rowId: row.id,
        before: null,
        after: { name, access, export: row.export, pages, expires_at: row.expires_at },
      })
      return { ...row, key }
    }),

  remove: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const [gone] = await tx
        .delete(apiKeysTable)
        .where(and(eq(apiKeysTable.id, params.id), isTheirs(me)))
        .returning({ name: apiKeysTable.name, user_id: apiKeysTable.user_id })
      if (!gone) throw notFoundError()
      await writeAudit(tx, actor, { kind: apiKeyAuditKind, rowId: params.id, before: gone, after: null })
    }),
})

const isTheirs = (me: CurrentUser) => (me.isSuperAdmin ? undefined : eq(apiKeysTable.user_id, me.id))

function toApiKey(row: typeof apiKeysTable.$inferSelect, user: ApiKey['user']): BeforeJson<ApiKey> {
  const { id, name, access, expires_at, last_used_at, created_at } = row
  return {
    ...{ id, name, access, user },
    export: row.export ? 1 : 0,
    pages: Object.fromEntries(row.pages.map((page) => [page, 1])),
    ...{ expires_at, last_used_at, created_at },
  }
}
