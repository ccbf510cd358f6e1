import { sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Db, DbOrTx } from '#core/db/db.ts'
import { conflictError, staleVersionError, validationError } from '#core/http/errors.ts'
import { userRoles } from '#domains/access/labels.ts'
import { rightsChannel } from '#domains/access/live-channels.ts'
import type { UserRole } from '#domains/access/schema.ts'
import {
  beginSignInAttempt,
  clearSignInFailures,
  getSecondFactorAccount,
  rejectThrottledSignIn,
} from '#domains/access/sign-in/server/sign-in-throttle.ts'
import { implementContract } from '#domains/app-context.ts'
import { requiredRolesContract, secondFactorContract } from '../contract.ts'
import { secondFactorRolesTable } from '../schema.ts'
import { countFactors } from './begin-session.ts'
import { addPasskey, createRegistrationOptions, readPasskeys, removePasskey } from './passkeys.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { beginTotp, disableTotp, enableTotp } from './totp.ts'

export const secondFactorHandlers = implementContract(secondFactorContract, {
  read: async ({ db, me }) => {
    const [{ totp, recovery_codes_left }, passkeys, roles] = await Promise.all([
      countFactors(db, me.id),
      readPasskeys(db, me.id),
      readRequiredRoles(db),
    ])
    return { totp, passkeys, recovery_codes_left, required: roles[me.role] }
  },

  beginTotp: ({ context, me }) => beginTotp(context, me),

  enableTotp: async ({ db, context, me, body, actor, request, reply }) => {
    const recovery_codes = await throttled({ db, userId: me.id, address: request.ip, reply }, () =>
      enableTotp(context, actor, me.id, body.code),
    )
    return { recovery_codes }
  },

  disableTotp: async ({ db, context, me, body, actor, request, reply }) => {
    await throttled({ db, userId: me.id, address: request.ip, reply }, () =>
      disableTotp(context, actor, me.id, body.code),
    )
  },

  newRecoveryCodes: async ({ db, me, actor }) => {
    const { totp, passkeys } = await countFactors(db, me.id)
    if (!totp && passkeys === 0) throw conflictError('Please set up an authenticator app or a passkey first')
    return { recovery_codes: await db.transaction((tx) => replaceRecoveryCodes(tx, actor, me.id)) }
  },

  passkeyOptions: ({ context, me }) => createRegistrationOptions(context, me),
  addPasskey: ({ context, me, actor, body }) => addPasskey(context, { me, actor }, body),
  removePasskey: ({ context, me, actor, params }) => removePasskey(context, actor, me.id, params.id),
})

export const requiredRolesHandlers = implementContract(requiredRolesContract, {
  read: ({ db }) => readRequiredRoles(db),

  save: ({ db, body: { seen, ...after }, actor }) =>
    db.transaction(async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(7318205)') // serializes concurrent saves
      const before = await readRequiredRoles(tx)
      if (seen && userRoles.some((role) => seen[role] !== before[role]))
        throw staleVersionError(requiredRolesContract.save, 'Someone else has changed these roles', before)
      const required = userRoles.filter((role) => after[role])
      await tx.delete(secondFactorRolesTable)
      if (required.length > 0) await tx.insert(secondFactorRolesTable).values(required.map((role) => ({ role })))
      await writeAudit(tx, actor, { kind: 'second factor', rowId: 0, before, after })
      await tx.execute(sql`select pg_notify(${rightsChannel}, '')`) // ends the streams of people who must set one up first
      return after
    }),
})

async function readRequiredRoles(db: DbOrTx): Promise<Record<UserRole, boolean>> {
  const found = await db.select().from(secondFactorRolesTable)
  const isRequired = (role: UserRole) => found.some((one) => one.role === role)
  return {
    super_admin: isRequired('super_admin'),
    admin: isRequired('admin'),
    leads_handler: isRequired('leads_handler'),
    customer: isRequired('customer'),
  }
}

type CodeAttempt = { db: Db; userId: number; address: string; reply: FastifyReply }

/** Runs an attempt that needs a code. A wrong code counts like a failed second factor of a sign-in, and is 422. */
async function throttled<Done>(
  { db, userId, address, reply }: CodeAttempt,
  attempt: () => Promise<Done | null | false>,
): Promise<Done> {
  const account = getSecondFactorAccount(userId)
  rejectThrottledSignIn(reply, await beginSignInAttempt(db, account, address))
  const done = await attempt()
  if (done === null || done === false) throw validationError({ code: ['The code is wrong, or was used already'] })
  await clearSignInFailures(db, account)
  return done
}
