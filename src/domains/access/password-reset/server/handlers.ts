import { and, eq, gt, lt, min, sql } from 'drizzle-orm'
import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Db } from '#core/db/db.ts'
import { getCallerNetwork } from '#core/http/caller-network.ts'
import { HttpError, notFoundError } from '#core/http/errors.ts'
import { assertNotNamed, hashNewPassword } from '#core/secrets/passwords.ts'
import { beginSession } from '#domains/access/second-factor/server/begin-session.ts'
import { readAccountNames } from '#domains/access/server/account-names.ts'
import { updateAccount } from '#domains/access/server/accounts.ts'
import { assertCanAssign } from '#domains/access/server/can-assign.ts'
import { lockStaffMember, type StaffRole } from '#domains/access/server/queries.ts'
import { createDeviceCookie } from '#domains/access/sign-in/server/device-cookie.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { passwordResetContract } from '../contract.ts'
import { passwordRequestsTable } from '../schema.ts'
import { passwordResetJob, sealResetRequest } from './jobs.ts'
import { assertMailerConnected, endPasswordLink, findLinkHolder, queueInvitation } from './password-links.ts'

const forgotAnswer = { message: 'If an account has this email, a link to choose a new password is on its way.' }

export const passwordResetHandlers = implementContract(passwordResetContract, {
  forgot: async ({ db, body, context, request, reply }) => {
    const seconds = await countPasswordRequest(db, getCallerNetwork(request.ip))
    if (seconds > 0) {
      reply.header('retry-after', seconds)
      throw new HttpError(429, 'Too many requests, please try again later')
    }
    await db.transaction((tx) => context.jobs.send(tx, passwordResetJob, sealResetRequest(body.email, context.secrets)))
    return forgotAnswer
  },

  reset: async ({ db, body, context, actor, request, reply }) => {
    const opened = await findLinkHolder(db, body.key)
    if (!opened) throw notFoundError()
    assertNotNamed(body.new_password, await readAccountNames(db, opened.id), 'new_password')
    const password_hash = await hashNewPassword(body.new_password, 'new_password')
    return db.transaction(async (tx) => {
      const holder = await findLinkHolder(tx, body.key, { lock: true })
      if (!holder || !(await endPasswordLink(tx, body.key))) throw notFoundError()
      const theirs: AuditActor = { ...actor, me: { id: holder.id, username: holder.username } }
      await updateAccount(tx, theirs, holder.id, { password_hash })
      if (holder.kind !== 'invitation') return undefined
      const from = { address: request.ip, userAgent: request.headers['user-agent'] }
      const begun = await beginSession(tx, { userId: holder.id, via: 'password', ...from })
      if ('token' in begun) reply.header('set-cookie', createDeviceCookie(context, { id: holder.id, password_hash }))
      return begun
    })
  },

  check: async ({ db, body }) => {
    if (!(await findLinkHolder(db, body.key))) throw notFoundError()
    return undefined
  },

  inviteAdmin: (call) => invite(call, ['admin', 'super_admin']),
  inviteHandler: (call) => invite(call, ['leads_handler']),
})

type InviteCall = Pick<
  EndpointCall<typeof passwordResetContract.inviteAdmin>,
  'db' | 'me' | 'params' | 'context' | 'actor'
>

/** Anyone who may set a person's password may invite them to choose it. */
async function invite({ db, me, params, context, actor }: InviteCall, roles: readonly StaffRole[]) {
  return db.transaction(async (tx) => {
    const holder = await lockStaffMember(tx, me, params.id, roles)
    assertCanAssign(me, holder, { password: true })
    await assertMailerConnected(context, tx)
    await queueInvitation(tx, context, actor, holder)
  })
}

const maxRequestsPerHour = 30
const requestLockKey = 7_318_205 // arbitrary, but unique in this app

/** Counts a request of this network. Returns the seconds until the next request is allowed; 0 when this request may proceed. */
const countPasswordRequest = (db: Db, network: string): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${requestLockKey}, hashtext(${network}))`)
    const { at } = passwordRequestsTable
    const [recent] = await tx
      .select({
        count: sql<number>`count(*)::int`,
        seconds: sql<number>`ceil(extract(epoch from ${min(at)} + interval '1 hour' - now()))::int`,
      })
      .from(passwordRequestsTable)
      .where(and(eq(passwordRequestsTable.address, network), gt(at, sql`now() - interval '1 hour'`)))
    if (recent && recent.count >= maxRequestsPerHour) return Math.max(1, recent.seconds)
    await tx.delete(passwordRequestsTable).where(lt(at, sql`now() - interval '1 hour'`))
    await tx.insert(passwordRequestsTable).values({ address: network })
    return 0
  })
