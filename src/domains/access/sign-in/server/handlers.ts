import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { HttpError, validationError } from '#core/http/errors.ts'
import { hashNewPassword, verifyPassword } from '#core/secrets/passwords.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { remoteTokensTable, sessionsTable, usersTable } from '#domains/access/schema.ts'
import { authenticate, type CurrentUser } from '#domains/access/server/current-user.ts'
import { endSessions, revokeOtherAccess, startSession } from '#domains/access/server/session-tokens.ts'
import { implementContract } from '#domains/app-context.ts'
import { toolLinksTable } from '#domains/dashboard/schema.ts'
import { type CurrentUserDto, sessionContract } from '../contract.ts'
import { canHideColumns } from '../hideable-columns.ts'
import {
  beginSignInAttempt,
  clearSignInFailures,
  readThrottleSeconds,
  recordSignInFailure,
} from './sign-in-throttle.ts'

const wrongCredentialsAnswer = { error: 'Wrong username or password' }
const invalidTokenAnswer = { error: 'This sign-in link is not valid any more' }

export const sessionHandlers = implementContract(sessionContract, {
  login: async ({ db, body, context, request, reply }) => {
    const { username, password } = body
    rejectThrottledSignIn(reply, await beginSignInAttempt(db, username, request.ip))
    const name = username.toLowerCase()
    const [user] = await db
      .select()
      .from(usersTable)
      .where(
        and(
          or(eq(sql`lower(${usersTable.username})`, name), eq(sql`lower(${usersTable.email})`, name)),
          isNull(usersTable.deleted_at),
        ),
      )
      .orderBy(sql`lower(${usersTable.username}) = ${name} desc`) // somebody's username wins over another's email
      .limit(1)
    const matches = await verifyPassword(password, user?.password_hash)
    const isIn = user !== undefined && matches && user.is_active
    // Never what was typed: people type their password into the wrong field.
    context.log.info(
      { id: request.id, user: user?.id, address: request.ip, outcome: isIn ? 'done' : 'refused' },
      'sign-in',
    )
    if (!isIn) return wrongCredentialsAnswer
    await clearSignInFailures(db, username)
    if (user.role === 'customer') return { error: getClientLoginMessage(context.settings.CLIENT_LOGIN_URL) }
    return { token: await startSession(db, user.id, 'password', request.ip) }
  },

  authByToken: async ({ db, body, request, reply }) => {
    const { token } = body
    rejectThrottledSignIn(reply, await readThrottleSeconds(db, 'a sign-in link', request.ip))
    if (await authenticate(db, token)) return { token }
    const [holder] = await db
      .select({ id: usersTable.id })
      .from(remoteTokensTable)
      .innerJoin(usersTable, eq(usersTable.id, remoteTokensTable.user_id))
      .where(
        and(
          eq(remoteTokensTable.token_hash, hashSha256(token)),
          gt(remoteTokensTable.expires_at, sql`now()`),
          eq(usersTable.role, 'customer'),
          usersTable.is_active,
          isNull(usersTable.deleted_at),
        ),
      )
    if (holder) return { token: await startSession(db, holder.id, 'remote_token', request.ip) }
    await recordSignInFailure(db, `link from ${request.ip}`, request.ip)
    return invalidTokenAnswer
  },

  logout: async ({ db, me, body }) => {
    if (!me) return undefined
    if (body?.all) await endSessions(db, me.id)
    else await db.delete(sessionsTable).where(eq(sessionsTable.token_hash, me.sessionHash))
    return undefined
  },

  me: async ({ db, me }) => readCurrentUserDto(db, me),

  updateProfile: async ({ db, me, body, actor, request, reply }) => {
    rejectThrottledSignIn(reply, await beginSignInAttempt(db, me.username, request.ip))
    const [user] = await db
      .select({ password_hash: usersTable.password_hash })
      .from(usersTable)
      .where(eq(usersTable.id, me.id))
    if (!(await verifyPassword(body.old_password, user?.password_hash)))
      throw validationError({ old_password: ['The old password is wrong'] })
    await clearSignInFailures(db, me.username)
    const password_hash = await hashNewPassword(body.new_password, 'new_password')
    await db.transaction(async (tx) => {
      await tx.update(usersTable).set({ password_hash }).where(eq(usersTable.id, me.id))
      await revokeOtherAccess(tx, me.id, me.sessionHash)
      await writeAudit(tx, actor, {
        kind: 'user',
        rowId: me.id,
        before: { password: 'old' },
        after: { password: 'changed' },
      })
    })
    return readCurrentUserDto(db, me)
  },

  saveColumns: async ({ db, me, query, body }) => {
    const view = body?.view ?? query.view
    const hidden = (body?.hidden_columns ?? query.hidden_columns ?? '')
      .split(',')
      .map((key) => key.trim())
      .filter(Boolean)
    if (!canHideColumns(view, hidden))
      throw validationError({ [view === undefined ? 'view' : 'hidden_columns']: ['There is no such view or column'] })
    const hidden_columns = { ...me.hiddenColumns, [view]: [...new Set(hidden)] }
    await db.update(usersTable).set({ hidden_columns }).where(eq(usersTable.id, me.id))
    return readCurrentUserDto(db, { ...me, hiddenColumns: hidden_columns })
  },

  saveTable: async ({ db, me, body: { table, ...layout } }) => {
    // Added to what is there now: two tabs lay out two tables.
    const added = JSON.stringify({ [table]: layout })
    await db
      .update(usersTable)
      .set({ table_layouts: sql`${usersTable.table_layouts} || ${added}::jsonb` })
      .where(eq(usersTable.id, me.id))
    return readCurrentUserDto(db, { ...me, tableLayouts: { ...me.tableLayouts, [table]: layout } })
  },

  endTour: async ({ db, me }) => {
    await db.update(usersTable).set({ saw_tour: true }).where(eq(usersTable.id, me.id))
    return readCurrentUserDto(db, { ...me, sawTour: true })
  },
})

function rejectThrottledSignIn(reply: FastifyReply, seconds: number) {
  if (seconds === 0) return
  reply.header('retry-after', seconds)
  const line = `Too many failed sign-ins, please try again in ${Math.ceil(seconds / 60)} minutes`
  throw new HttpError(429, line, undefined, { error: line })
}

const getClientLoginMessage = (url: string | undefined) =>
  url ? `Please use the client login site: ${url}` : 'Please use the client login site'

async function readCurrentUserDto(db: DbOrTx, me: CurrentUser): Promise<CurrentUserDto> {
  const links = me.isSuperAdmin
    ? await db
        .select({ id: toolLinksTable.id, label: toolLinksTable.label, url: toolLinksTable.url })
        .from(toolLinksTable)
        .orderBy(toolLinksTable.position, toolLinksTable.id)
    : []
  const { 'leads.list': leadsList = [], ...others } = me.hiddenColumns
  return {
    id: me.id,
    username: me.username,
    email: me.email,
    isAdmin: me.isAdmin,
    isSuperAdmin: me.isSuperAdmin,
    isCustomer: me.role === 'customer',
    tools_links: links,
    permissions: me.permissions,
    hidden_columns: Object.entries({ 'leads.list': leadsList, ...others }).map(([view, hidden_columns]) => ({
      view,
      hidden_columns,
    })),
    tables: me.tableLayouts,
    saw_tour: me.sawTour,
  }
}
