import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import {
  assertNotNamed,
  hashNewPassword,
  isWithoutPassword,
  noPasswordMessage,
  verifyPassword,
} from '#core/secrets/passwords.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { remoteTokensTable, sessionsTable, type UserRole, usersTable } from '#domains/access/schema.ts'
import { beginSession } from '#domains/access/second-factor/server/begin-session.ts'
import { isNamed, readAccountNames, usernameFirst } from '#domains/access/server/account-names.ts'
import { authenticateSession, type CurrentUser } from '#domains/access/server/current-user.ts'
import {
  endPasswordLinks,
  endReplacedSession,
  endSessions,
  revokeOtherAccess,
  tradeSession,
} from '#domains/access/server/session-tokens.ts'
import { type AppContext, type EndpointCall, implementContract } from '#domains/app-context.ts'
import { type HideableColumns, readCurrentUserDto } from '../../server/current-user-dto.ts'
import { sessionContract } from '../contract.ts'
import { createDeviceCookie, readDeviceAccount } from './device-cookie.ts'
import {
  beginSignInAttempt,
  clearSignInFailures,
  getSecondFactorAccount,
  readThrottleSeconds,
  recordSignInFailure,
  rejectThrottledSignIn,
} from './sign-in-throttle.ts'

const wrongCredentialsAnswer = { error: 'Wrong username or password' }
const linkUsesPerMinute = 20
/** Per client, from whatever addresses. */
const countLinkUse = createRateLimit(
  linkUsesPerMinute,
  `This sign-in link was used ${linkUsesPerMinute} times within a minute, please try again later`,
)
/** Per address, whatever it sends. */
const countAddressUse = createRateLimit(
  linkUsesPerMinute,
  `Sign-in links were opened ${linkUsesPerMinute} times within a minute from this network, please try again later`,
)
const invalidTokenAnswer = { error: 'This sign-in link no longer works. Ask the agency for a new one.' }

export const createSessionHandlers = (declared: { hideableColumns: HideableColumns }) =>
  implementContract(sessionContract, {
    login: (call) => signIn(call, 'staff'),

    clientLogin: (call) => {
      if (call.context.settings.CLIENT_LOGIN_URL) throw notFoundError()
      return signIn(call, 'clients')
    },

    authByToken: async ({ db, me, body, context, request, reply }) => {
      await countAddressUse(context, request.ip)
      // Only the address counts: the leading spaces keep these names distinct from usernames, which are trimmed.
      rejectThrottledSignIn(reply, await readThrottleSeconds(db, ' sign-in link', request.ip))
      const session = await authenticateSession(db, body.token)
      const from = { address: request.ip, userAgent: request.headers['user-agent'] }
      const found = await db.transaction(async (tx) => {
        const holder = session ?? (await lockLinkHolder(tx, body.token))
        if (!holder) return null
        if (me && !body.replace && getPerson(me).id !== getPerson(holder).id)
          return { user: holder.id, other_person: { signed_in: getPerson(me).username, link: holder.username } }
        if (!session) await countLinkUse(context, holder.id)
        const begun = session
          ? await continueSession(tx, session, from)
          : await beginSession(tx, { userId: holder.id, via: 'remote_token', ...from })
        if (begun && me) await endReplacedSession(tx, me.sessionHash, 'token' in begun ? begun.token : null)
        return begun && { user: holder.id, begun }
      })
      const outcome = !found ? 'refused' : found.begun ? 'done' : 'asked'
      context.log.info({ id: request.id, user: found?.user, address: request.ip, outcome }, 'sign-in by a link')
      if (found?.begun) return found.begun
      if (found) return { other_person: found.other_person }
      await recordSignInFailure(db, ` link from ${request.ip}`, request.ip)
      return invalidTokenAnswer
    },

    logout: async ({ db, me, body }) => {
      if (!me) return
      if (body?.all && !me.seenBy) await endSessions(db, me.id)
      else await db.delete(sessionsTable).where(eq(sessionsTable.token_hash, me.sessionHash))
    },

    me: async ({ db, me }) => readCurrentUserDto(db, me, declared),

    updateProfile: async ({ db, me, body, context, actor, request, reply }) => {
      const [user] = await db.select().from(usersTable).where(eq(usersTable.id, me.id))
      const account = user ? readDeviceAccount(context.secrets, request.headers.cookie, user) : me.username
      rejectThrottledSignIn(reply, await beginSignInAttempt(db, account, request.ip))
      if (!user || !(await verifyPassword(body.old_password, user.password_hash)))
        throw wrongOldPasswordError(user?.password_hash)
      await clearSignInFailures(db, account)
      assertNotNamed(body.new_password, await readAccountNames(db, me.id), 'new_password')
      const password_hash = await hashNewPassword(body.new_password, 'new_password')
      await db.transaction(async (tx) => {
        const changed = await tx
          .update(usersTable)
          .set({ password_hash })
          .where(and(eq(usersTable.id, me.id), eq(usersTable.password_hash, user.password_hash)))
          .returning({ id: usersTable.id })
        if (changed.length === 0) throw wrongOldPasswordError() // it changed while the old one was being compared
        await revokeOtherAccess(tx, me.id, me.sessionHash)
        await endPasswordLinks(tx, me.id)
        await writeAudit(tx, actor, {
          kind: 'user',
          rowId: me.id,
          before: { password: 'old' },
          after: { password: 'changed' },
        })
      })
      reply.header('set-cookie', createDeviceCookie(context, { id: me.id, password_hash })) // the old one has ended
      return readCurrentUserDto(db, me, declared)
    },
  })

type Audience = 'staff' | 'clients'
const isOfAudience = ({ role }: { role: UserRole }, audience: Audience) =>
  (role === 'customer') === (audience === 'clients')

/** Signs a person in at the page of staff or of clients, and refers those of the other one to theirs. */
async function signIn(
  { db, body, context, request, reply }: EndpointCall<typeof sessionContract.login>,
  audience: Audience,
) {
  const user = await findUserByName(db, body.username)
  // A known account's username and email share one count. A browser where it has signed in before has its own count.
  const account = user ? readDeviceAccount(context.secrets, request.headers.cookie, user) : body.username
  rejectThrottledSignIn(reply, await beginSignInAttempt(db, account, request.ip))
  const matches = await verifyPassword(body.password, user?.password_hash)
  const from = { address: request.ip, userAgent: request.headers['user-agent'] }
  const outcome =
    user && matches ? await db.transaction((tx) => beginOwnSession(tx, { user, account, audience, from })) : null
  // Revealed only to those who know the password.
  if (outcome) rejectThrottledSignIn(reply, outcome.seconds)
  const begun = outcome?.begun ?? null
  const isElsewhere = user !== undefined && !isOfAudience(user, audience)
  const isIn = begun !== null || (isElsewhere && matches && user.is_active)
  // Never log the typed username: people type their password into the wrong field.
  context.log.info(
    { id: request.id, user: user?.id, address: request.ip, outcome: isIn ? 'done' : 'refused' },
    'sign-in',
  )
  if (!isIn) return wrongCredentialsAnswer
  if (user && begun && 'token' in begun) reply.header('set-cookie', createDeviceCookie(context, user))
  return begun ?? { error: describeOtherLogin(audience, context.settings) }
}

/** Returns who sits there: in a view as another person the viewer. */
const getPerson = (me: { id: number; username: string; seenBy?: { id: number; username: string } | null }) =>
  me.seenBy ?? me

async function continueSession(tx: Tx, session: CurrentUser, from: Parameters<typeof tradeSession>[2]) {
  const token = await tradeSession(tx, session.sessionHash, from)
  if (token === null) return null
  return session.mustEnrol ? { token, must_enrol: true as const } : { token }
}

const wrongOldPasswordError = (hash?: string) =>
  validationError({ old_password: [isWithoutPassword(hash) ? noPasswordMessage : 'The old password is wrong'] })

/** Finds a user by username or email, in any case. */
async function findUserByName(db: DbOrTx, name: string) {
  const [user] = await db.select().from(usersTable).where(isNamed(name)).orderBy(usernameFirst(name)).limit(1)
  return user
}

/**
 * Starts the session of a user whose password was right, and clears their failures in the same commit; who belongs to the
 * other page gets none here. After too many tries of the second factor no session starts, and `seconds` is the time to wait.
 */
async function beginOwnSession(tx: Tx, { user, account, audience, from }: SignInAttempt) {
  const seconds = await readThrottleSeconds(tx, getSecondFactorAccount(user.id), from.address)
  const isWelcome = isOfAudience(user, audience) && seconds === 0 && (await lockUnchangedUser(tx, user))
  const begun = isWelcome ? await beginSession(tx, { userId: user.id, via: 'password', ...from }) : null
  if (begun || seconds > 0 || (!isOfAudience(user, audience) && user.is_active)) await clearSignInFailures(tx, account)
  return { begun, seconds }
}

type SignInAttempt = {
  user: typeof usersTable.$inferSelect
  account: string
  audience: Audience
  from: { address: string; userAgent: string | undefined }
}

/**
 * Returns whether the user may still sign in with the password that was compared, and locks that state until the
 * transaction ends. A change committed earlier is seen here, and a later one finds the new session and ends it.
 */
async function lockUnchangedUser(tx: Tx, seen: typeof usersTable.$inferSelect): Promise<boolean> {
  const found = await tx
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(
      and(
        eq(usersTable.id, seen.id),
        eq(usersTable.password_hash, seen.password_hash),
        eq(usersTable.role, seen.role),
        usersTable.is_active,
        isNull(usersTable.deleted_at),
      ),
    )
    .for('share')
  return found.length > 0
}

/** Returns the customer of this sign-in link, locked as above. */
async function lockLinkHolder(tx: Tx, token: string) {
  const isThisLink = and(
    eq(remoteTokensTable.token_hash, hashSha256(token)),
    gt(remoteTokensTable.expires_at, sql`now()`),
  )
  const links = () => tx.select({ id: remoteTokensTable.user_id }).from(remoteTokensTable).where(isThisLink)
  const [holder] = await tx
    .select({ id: usersTable.id, username: usersTable.username })
    .from(usersTable)
    .where(
      and(
        inArray(usersTable.id, links()),
        eq(usersTable.role, 'customer'),
        usersTable.is_active,
        isNull(usersTable.deleted_at),
      ),
    )
    .for('share')
  // Read again: the link may have been withdrawn while this waited for the lock.
  return holder && (await links()).length > 0 ? holder : undefined
}

function describeOtherLogin(audience: Audience, { CLIENT_LOGIN_URL: url, PUBLIC_URL }: AppContext['settings']): string {
  if (audience === 'clients') return `Please use the administrator login: ${PUBLIC_URL}/login`
  return url ? `Please use the client login site: ${url}` : 'Please use the client login site'
}
