import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { record } from '#core/audit/write-audit.ts'
import type { Queries } from '#core/db/db.ts'
import { invalid, Refusal } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { hashChosen, isPassword } from '#core/secrets/passwords.ts'
import { sha256 } from '#core/secrets/secrets.ts'
import { remoteTokens, sessions, users } from '#domains/access/schema.ts'
import { findMe, type Me } from '#domains/access/server/current-user.ts'
import { beginSession, endOtherAccess, endSessions } from '#domains/access/server/session-tokens.ts'
import { toolLinks } from '#domains/dashboard/schema.ts'
import { type CurrentUser, session } from '../contract.ts'
import { isHideable } from '../hideable-columns.ts'
import { beginTry, clearFailures, noteFailure, secondsToWait } from './sign-in-throttle.ts'

const wrong = { error: 'Wrong username or password' }
const notThisToken = { error: 'This sign-in link is not valid any more' }

export const sessionCalls = implement(session, {
  login: async ({ db, body, house, request, reply }) => {
    const { username, password } = body
    refuseWhenClosed(reply, await beginTry(db, username, request.ip))
    const name = username.toLowerCase()
    const [user] = await db
      .select()
      .from(users)
      .where(
        and(
          or(eq(sql`lower(${users.username})`, name), eq(sql`lower(${users.email})`, name)),
          isNull(users.deleted_at),
        ),
      )
      .orderBy(sql`lower(${users.username}) = ${name} desc`) // somebody's username wins over another's email
      .limit(1)
    const matches = await isPassword(password, user?.password_hash)
    const isIn = user !== undefined && matches && user.is_active
    // Never what was typed: people type their password into the wrong field.
    house.log.info(
      { id: request.id, user: user?.id, address: request.ip, outcome: isIn ? 'done' : 'refused' },
      'sign-in',
    )
    if (!isIn) return wrong
    await clearFailures(db, username)
    if (user.role === 'customer') return { error: clientsGoElsewhere(house.settings.CLIENT_LOGIN_URL) }
    return { token: await beginSession(db, user.id, 'password', request.ip) }
  },

  authByToken: async ({ db, body, request, reply }) => {
    const { token } = body
    refuseWhenClosed(reply, await secondsToWait(db, 'a sign-in link', request.ip))
    if (await findMe(db, token)) return { token }
    const [holder] = await db
      .select({ id: users.id })
      .from(remoteTokens)
      .innerJoin(users, eq(users.id, remoteTokens.user_id))
      .where(
        and(
          eq(remoteTokens.token_hash, sha256(token)),
          gt(remoteTokens.expires_at, sql`now()`),
          eq(users.role, 'customer'),
          users.is_active,
          isNull(users.deleted_at),
        ),
      )
    if (holder) return { token: await beginSession(db, holder.id, 'remote_token', request.ip) }
    await noteFailure(db, `link from ${request.ip}`, request.ip)
    return notThisToken
  },

  logout: async ({ db, me, body }) => {
    if (!me) return undefined
    if (body?.all) await endSessions(db, me.id)
    else await db.delete(sessions).where(eq(sessions.token_hash, me.sessionHash))
    return undefined
  },

  me: async ({ db, me }) => currentUser(db, me),

  updateProfile: async ({ db, me, body, actor, request, reply }) => {
    refuseWhenClosed(reply, await beginTry(db, me.username, request.ip))
    const [user] = await db.select({ password_hash: users.password_hash }).from(users).where(eq(users.id, me.id))
    if (!(await isPassword(body.old_password, user?.password_hash)))
      throw invalid({ old_password: ['The old password is wrong'] })
    await clearFailures(db, me.username)
    const password_hash = await hashChosen(body.new_password, 'new_password')
    await db.transaction(async (tx) => {
      await tx.update(users).set({ password_hash }).where(eq(users.id, me.id))
      await endOtherAccess(tx, me.id, me.sessionHash)
      await record(tx, actor, {
        kind: 'user',
        rowId: me.id,
        before: { password: 'old' },
        after: { password: 'changed' },
      })
    })
    return currentUser(db, me)
  },

  saveColumns: async ({ db, me, query, body }) => {
    const view = body?.view ?? query.view
    const hidden = (body?.hidden_columns ?? query.hidden_columns ?? '')
      .split(',')
      .map((key) => key.trim())
      .filter(Boolean)
    if (!isHideable(view, hidden))
      throw invalid({ [view === undefined ? 'view' : 'hidden_columns']: ['There is no such view or column'] })
    const hidden_columns = { ...me.hiddenColumns, [view]: [...new Set(hidden)] }
    await db.update(users).set({ hidden_columns }).where(eq(users.id, me.id))
    return currentUser(db, { ...me, hiddenColumns: hidden_columns })
  },

  saveTable: async ({ db, me, body: { table, ...layout } }) => {
    // Added to what is there now: two tabs lay out two tables.
    const added = JSON.stringify({ [table]: layout })
    await db
      .update(users)
      .set({ table_layouts: sql`${users.table_layouts} || ${added}::jsonb` })
      .where(eq(users.id, me.id))
    return currentUser(db, { ...me, tableLayouts: { ...me.tableLayouts, [table]: layout } })
  },

  endTour: async ({ db, me }) => {
    await db.update(users).set({ saw_tour: true }).where(eq(users.id, me.id))
    return currentUser(db, { ...me, sawTour: true })
  },
})

function refuseWhenClosed(reply: FastifyReply, seconds: number) {
  if (seconds === 0) return
  reply.header('retry-after', seconds)
  const line = `Too many failed sign-ins, please try again in ${Math.ceil(seconds / 60)} minutes`
  throw new Refusal(429, line, undefined, { error: line })
}

const clientsGoElsewhere = (url: string | undefined) =>
  url ? `Please use the client login site: ${url}` : 'Please use the client login site'

async function currentUser(db: Queries, me: Me): Promise<CurrentUser> {
  const links = me.isSuperAdmin
    ? await db
        .select({ id: toolLinks.id, label: toolLinks.label, url: toolLinks.url })
        .from(toolLinks)
        .orderBy(toolLinks.position, toolLinks.id)
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
