import { eq, sql } from 'drizzle-orm'
import { validationError } from '#core/http/errors.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { isWithoutPassword, noPasswordHash, noPasswordMessage, verifyPassword } from '#core/secrets/passwords.ts'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import { createDeviceCookie, readDeviceAccount } from '#domains/access/sign-in/server/device-cookie.ts'
import {
  beginSignInAttempt,
  clearSignInFailures,
  getSecondFactorAccount,
  rejectThrottledSignIn,
} from '#domains/access/sign-in/server/sign-in-throttle.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { type SecondStepForm, secondStepContract } from '../contract.ts'
import { countFactors, findChallengedUser, lockActiveUser, redeemChallenge } from './begin-session.ts'
import { createAuthenticationOptions, redeemPasskey } from './passkeys.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { redeemTotpCode } from './totp.ts'

const endedChallengeAnswer = { error: 'This sign-in has taken too long, please start again' }

/** Challenges and passkeys cannot be guessed; this only limits the load that strangers cause. */
const rejectFlood = createRateLimit(120, 'Please try again in a minute')

type FinishCall = EndpointCall<typeof secondStepContract.finishLogin>

const readOrigin = (request: FinishCall['request']) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
})

export const secondStepHandlers = implementContract(secondStepContract, {
  finishLogin: async (call) => {
    const { db, body, context, request, reply } = call
    const user = await findChallengedUser(db, body.challenge)
    if (!user) return endedChallengeAnswer
    const account = getSecondFactorAccount(user.id)
    rejectThrottledSignIn(reply, await beginSignInAttempt(db, account, request.ip))
    const isRight = await isRightFactor(call, user, body)
    const token = isRight
      ? await db.transaction((tx) => redeemChallenge(tx, body.challenge, user, readOrigin(request)))
      : null
    context.log.info(
      { id: request.id, user: user.id, address: request.ip, outcome: token === null ? 'refused' : 'done' },
      'second factor',
    )
    if (!isRight) return { error: wrongProofSentences[findProof(body)] }
    await clearSignInFailures(db, account)
    const password_hash = token === null ? undefined : await readPasswordHash(db, user.id)
    if (password_hash) reply.header('set-cookie', createDeviceCookie(context, { id: user.id, password_hash }))
    return token === null ? endedChallengeAnswer : { token }
  },

  passkeyLoginOptions: async ({ db, me, body, context, request }) => {
    await rejectFlood(context, request.ip)
    const user = body?.challenge === undefined ? me : await findChallengedUser(db, body.challenge)
    if (body?.challenge !== undefined && !user) throw validationError({ challenge: [endedChallengeAnswer.error] })
    return createAuthenticationOptions(context, user?.id ?? null)
  },

  passkeyLogin: async ({ db, body, context, request }) => {
    await rejectFlood(context, request.ip)
    const userId = await redeemPasskey(context, body.credential, null)
    const token =
      userId === null
        ? null
        : await db.transaction(async (tx) =>
            (await lockActiveUser(tx, userId))
              ? startSession(tx, userId, 'passkey', request.ip, request.headers['user-agent'])
              : null,
          )
    context.log.info(
      { id: request.id, user: userId ?? undefined, address: request.ip, outcome: token === null ? 'refused' : 'done' },
      'passkey',
    )
    return token === null ? { error: wrongProofSentences.credential } : { token }
  },

  reauthenticate: async ({ db, me, body, context, request, reply }) => {
    const factors = await countFactors(db, me.id)
    const hasFactor = factors.totp || factors.passkeys > 0
    const field = findProof(body)
    if (hasFactor && body.password !== undefined) throw validationError({ password: ['Please use your second factor'] })
    const password_hash = (await readPasswordHash(db, me.id)) ?? noPasswordHash
    const account = hasFactor
      ? getSecondFactorAccount(me.id)
      : readDeviceAccount(context.secrets, request.headers.cookie, { ...me, password_hash })
    rejectThrottledSignIn(reply, await beginSignInAttempt(db, account, request.ip))
    const isRight =
      body.password !== undefined
        ? await verifyPassword(body.password, password_hash)
        : body.code !== undefined
          ? await redeemTotpCode(context, me.id, body.code)
          : body.credential !== undefined && (await redeemPasskey(context, body.credential, me.id)) !== null
    context.log.info(
      { id: request.id, user: me.id, address: request.ip, outcome: isRight ? 'done' : 'refused', by: field },
      'reauthentication',
    )
    if (!isRight && field === 'password' && isWithoutPassword(password_hash))
      throw validationError({ password: [noPasswordMessage] })
    if (!isRight) throw validationError({ [field]: [wrongProofSentences[field]] })
    await clearSignInFailures(db, account)
    await db.update(sessionsTable).set({ proven_at: sql`now()` }).where(eq(sessionsTable.token_hash, me.sessionHash))
  },
})

const wrongProofSentences = {
  password: 'The password is wrong',
  code: 'The code is wrong, or was used already',
  recovery_code: 'The recovery code is wrong, or was used already',
  credential: 'This passkey does not work here',
}

/** Returns which proof was sent: the schemas require exactly one. */
const findProof = (sent: object) =>
  (Object.keys(wrongProofSentences) as (keyof typeof wrongProofSentences)[]).find(
    (name) => Reflect.get(sent, name) !== undefined,
  ) ?? 'credential'

async function isRightFactor(
  { context, actor }: FinishCall,
  user: { id: number; username: string },
  sent: SecondStepForm,
) {
  if (sent.code !== undefined) return redeemTotpCode(context, user.id, sent.code)
  if (sent.recovery_code !== undefined)
    return context.db.transaction((tx) => redeemRecoveryCode(tx, { ...actor, me: user }, user.id, sent.recovery_code!))
  return sent.credential !== undefined && (await redeemPasskey(context, sent.credential, user.id)) !== null
}

async function readPasswordHash(db: FinishCall['db'], id: number): Promise<string | undefined> {
  const [user] = await db
    .select({ password_hash: usersTable.password_hash })
    .from(usersTable)
    .where(eq(usersTable.id, id))
  return user?.password_hash
}
