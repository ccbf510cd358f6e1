import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { and, asc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { conflictError, isUniqueViolation, notFoundError, validationError } from '#core/http/errors.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { readAgency } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { Passkey, SentCredential } from '../contract.ts'
import { passkeyChallengesTable, passkeysTable } from '../schema.ts'

/** Loaded with the first passkey, because its certificate code is large. */
const loadLibrary = () => import('@simplewebauthn/server')

const algorithms = [-7, -257] // ES256 and RS256
const challengeMinutes = 10
const maxPasskeys = 20

/** Passkeys are bound to the host of PUBLIC_URL. */
function getParty({ settings }: AppContext) {
  const { hostname, origin } = new URL(settings.PUBLIC_URL)
  return { id: hostname, origin }
}

export async function readPasskeys(db: DbOrTx, userId: number): Promise<BeforeJson<Passkey>[]> {
  const found = await db
    .select()
    .from(passkeysTable)
    .where(eq(passkeysTable.user_id, userId))
    .orderBy(asc(passkeysTable.id))
  return found.map(toPasskey)
}

const toPasskey = ({ id, name, created_at, last_used_at }: typeof passkeysTable.$inferSelect): BeforeJson<Passkey> => ({
  id,
  name,
  created_at,
  last_used_at,
})

/** Returns what the browser needs to create a passkey for this user. */
export async function createRegistrationOptions(context: AppContext, me: { id: number; username: string }) {
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpName: (await readAgency(context.db, context.settings)).name,
    rpID: getParty(context).id,
    userName: me.username,
    userDisplayName: me.username,
    userID: new TextEncoder().encode(`leadline-user-${me.id}`),
    attestationType: 'none',
    excludeCredentials: await readCredentialIds(context.db, me.id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  await keepChallenge(context.db, options.challenge, 'registration', me.id)
  return { ...options }
}

/** Returns what the browser needs to sign with a passkey: one of this user's, or any. */
export async function createAuthenticationOptions(context: AppContext, userId: number | null) {
  const { generateAuthenticationOptions } = await loadLibrary()
  const options = await generateAuthenticationOptions({
    rpID: getParty(context).id,
    userVerification: 'required',
    ...(userId === null ? {} : { allowCredentials: await readCredentialIds(context.db, userId) }),
  })
  await keepChallenge(context.db, options.challenge, 'authentication', userId)
  return { ...options }
}

/** Stores a passkey that the browser created. */
export async function addPasskey(
  context: AppContext,
  { me, actor }: { me: { id: number }; actor: AuditActor },
  { name, credential }: { name: string; credential: SentCredential },
): Promise<BeforeJson<Passkey>> {
  const registration = await verifyRegistration(context, me.id, credential)
  if (!registration) throw validationError({ credential: ['This passkey could not be verified, please try again'] })
  const { id, publicKey, counter, transports = [] } = registration.credential
  const values = { name, credential_id: id, public_key: Buffer.from(publicKey), counter, transports, user_id: me.id }
  try {
    return await context.db.transaction(async (tx) => {
      if ((await tx.$count(passkeysTable, eq(passkeysTable.user_id, me.id))) >= maxPasskeys)
        throw conflictError(`At most ${maxPasskeys} passkeys, please remove one first`)
      const [made] = await tx.insert(passkeysTable).values(values).returning()
      await writeAudit(tx, actor, { kind: 'passkey', rowId: made!.id, before: null, after: { name, user_id: me.id } })
      return toPasskey(made!)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'passkeys_credential')) throw conflictError('This passkey is known already')
    throw error
  }
}

export function removePasskey({ db }: AppContext, actor: AuditActor, userId: number, id: number): Promise<void> {
  return db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(passkeysTable)
      .where(and(eq(passkeysTable.id, id), eq(passkeysTable.user_id, userId)))
      .returning()
    if (!gone) throw notFoundError()
    await writeAudit(tx, actor, {
      kind: 'passkey',
      rowId: id,
      before: { name: gone.name, user_id: userId },
      after: null,
    })
  })
}

/**
 * Returns whose passkey signed; null if the signature proves nothing. `userId` says whose passkey it must be. The
 * challenge is used up either way.
 */
export async function redeemPasskey(
  context: AppContext,
  credential: SentCredential,
  userId: number | null,
): Promise<number | null> {
  const expectedChallenge = await takeChallenge(context.db, credential, 'authentication', userId)
  if (expectedChallenge === null) return null
  const { id: expectedRPID, origin: expectedOrigin } = getParty(context)
  const { verifyAuthenticationResponse } = await loadLibrary()
  return context.db.transaction(async (tx) => {
    const [known] = await tx
      .select()
      .from(passkeysTable)
      .where(eq(passkeysTable.credential_id, credential.id))
      .for('update')
    if (!known || (userId !== null && known.user_id !== userId)) return null
    const { verified, authenticationInfo } = await orUnverified(
      verifyAuthenticationResponse({
        response: credential as unknown as AuthenticationResponseJSON, // the library checks each part of it
        expectedChallenge,
        expectedOrigin,
        expectedRPID,
        requireUserVerification: true,
        credential: {
          id: known.credential_id,
          publicKey: new Uint8Array(known.public_key),
          counter: known.counter,
          transports: known.transports as AuthenticatorTransport[], // as the browser named them
        },
      }),
    )
    if (!verified || !authenticationInfo) return null
    await tx
      .update(passkeysTable)
      .set({ counter: authenticationInfo.newCounter, last_used_at: sql`now()` })
      .where(eq(passkeysTable.id, known.id))
    return known.user_id
  })
}

async function verifyRegistration(context: AppContext, userId: number, credential: SentCredential) {
  const expectedChallenge = await takeChallenge(context.db, credential, 'registration', userId)
  if (expectedChallenge === null) return null
  const { id: expectedRPID, origin: expectedOrigin } = getParty(context)
  const { verifyRegistrationResponse } = await loadLibrary()
  const { verified, registrationInfo } = await orUnverified(
    verifyRegistrationResponse({
      response: credential as unknown as RegistrationResponseJSON, // the library checks each part of it
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  return verified ? (registrationInfo ?? null) : null
}

/** The library throws on invalid input. */
const orUnverified = <Result extends { verified: boolean }>(work: Promise<Result>): Promise<Partial<Result>> =>
  work.catch(() => ({ verified: false }) as Partial<Result>) // all of it may be missing

async function readCredentialIds(db: DbOrTx, userId: number) {
  const found = await db
    .select({ id: passkeysTable.credential_id, transports: passkeysTable.transports })
    .from(passkeysTable)
    .where(eq(passkeysTable.user_id, userId))
    .orderBy(asc(passkeysTable.id))
  return found.map(({ id, transports }) => ({ id, transports: transports as AuthenticatorTransport[] })) // as above
}

type ChallengePurpose = typeof passkeyChallengesTable.$inferSelect.purpose

async function keepChallenge(db: DbOrTx, challenge: string, purpose: ChallengePurpose, userId: number | null) {
  await db.delete(passkeyChallengesTable).where(lt(passkeyChallengesTable.expires_at, sql`now()`))
  await db.insert(passkeyChallengesTable).values({
    challenge_hash: hashSha256(challenge),
    purpose,
    user_id: userId,
    expires_at: new Date(Date.now() + challengeMinutes * 60_000),
  })
}

/** Returns the signed challenge if it is ours and still unused, and uses it up. */
async function takeChallenge(
  db: DbOrTx,
  { response }: SentCredential,
  purpose: ChallengePurpose,
  userId: number | null,
): Promise<string | null> {
  const challenge = readChallenge(response.clientDataJSON)
  if (challenge === null) return null
  const { challenge_hash, user_id, expires_at } = passkeyChallengesTable
  const isForUser = userId === null ? isNull(user_id) : or(eq(user_id, userId), isNull(user_id))
  const taken = await db
    .delete(passkeyChallengesTable)
    .where(
      and(
        eq(challenge_hash, hashSha256(challenge)),
        eq(passkeyChallengesTable.purpose, purpose),
        gt(expires_at, sql`now()`),
        isForUser,
      ),
    )
    .returning({ purpose: passkeyChallengesTable.purpose })
  return taken.length > 0 ? challenge : null
}

function readChallenge(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}
