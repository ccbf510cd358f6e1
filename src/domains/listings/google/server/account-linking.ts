import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, forbidden, notFound, Refusal } from '#core/http/errors.ts'
import { randomToken, sha256 } from '#core/secrets/secrets.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { consentAddress, exchange, type Grant, isInvalidGrant, revoke } from '#integrations/google/tokens.ts'
import { googleAccounts, googleLinkStates, refreshTokenPlace } from '../schema.ts'
import { expectConnected, googleOf, keepAccess, refusalOf } from './google-access.ts'
import { syncOneSoon, syncSoon } from './jobs.ts'

const kind = 'Google account'
const minutes = 10
/** PKCE's verifier stands nowhere: our key makes it of what is kept of the state. */
const verifierOf = ({ secrets }: House, stateHash: Buffer) => secrets.sign(`google link ${stateHash.toString('hex')}`)

/** Begins a link: its state works once, in this session, for ten minutes. */
export async function beginLink(house: House, me: Me): Promise<string> {
  expectConnected(house)
  const state = randomToken()
  const state_hash = sha256(state)
  await house.db.delete(googleLinkStates).where(lt(googleLinkStates.expires_at, sql`now()`))
  await house.db.insert(googleLinkStates).values({
    state_hash,
    session_hash: me.sessionHash,
    expires_at: new Date(Date.now() + minutes * 60_000),
  })
  return consentAddress(house.settings, { state, verifier: verifierOf(house, state_hash) })
}

type By = { me: Me; actor: Actor; house: House }

/** Ends a link: the account is there, or linked anew, and its locations are read soon. */
export async function link({ me, actor, house }: By, code: string, state?: string | null): Promise<number> {
  expectConnected(house)
  const grant = await granted(house, code, await takeState(house, me, state))
  const id = await house.db.transaction(async (tx) => {
    const id = await keepGrant(tx, { me, actor, house }, grant)
    await syncOneSoon(house, tx, id)
    return id
  })
  keepAccess(house, id, grant.access)
  return id
}

/**
 * Taken before anything else: whatever comes of it, it does not work again. A code that comes without a state is of the one link
 * that this session has begun; where there are several, nobody can tell.
 */
async function takeState({ db }: House, me: Me, state: string | null | undefined): Promise<Buffer> {
  const live = and(eq(googleLinkStates.session_hash, me.sessionHash), gt(googleLinkStates.expires_at, sql`now()`))
  const begun = await db
    .select({ hash: googleLinkStates.state_hash })
    .from(googleLinkStates)
    .where(and(live, state ? eq(googleLinkStates.state_hash, sha256(state)) : undefined))
    .limit(2)
  const [one, another] = begun
  if (!one || another) throw foreignState()
  const taken = await db
    .delete(googleLinkStates)
    .where(and(live, eq(googleLinkStates.state_hash, one.hash)))
    .returning()
  if (taken.length === 0) throw foreignState()
  return one.hash
}
const foreignState = () => {
  const sentence = 'This link was not begun here, or more than ten minutes ago. Please begin it again'
  return new Refusal(422, sentence, { state: [sentence] })
}

async function granted(house: House, code: string, stateHash: Buffer): Promise<Grant> {
  try {
    return await exchange(googleOf(house), code, verifierOf(house, stateHash))
  } catch (error) {
    if (isInvalidGrant(error)) throw conflict('Google does not know this code any more. Please begin the link again')
    throw refusalOf(error)
  }
}

async function keepGrant(tx: Tx, { me, actor, house }: By, { subject, email, refreshToken }: Grant): Promise<number> {
  const fresh = { email, linked_by: me.id, linked_at: new Date(), needs_relink_since: null, problem: null }
  const [before] = await tx.select().from(googleAccounts).where(eq(googleAccounts.subject, subject)).for('update')
  const [kept] = await tx
    .insert(googleAccounts)
    .values({ subject, account_name: email, refresh_token: Buffer.alloc(0), ...fresh })
    .onConflictDoUpdate({ target: googleAccounts.subject, set: fresh })
    .returning({ id: googleAccounts.id })
  const { id } = kept!
  const refresh_token = house.secrets.seal(refreshToken, refreshTokenPlace(id)) // bound to the row, which has its id now
  await tx.update(googleAccounts).set({ refresh_token }).where(eq(googleAccounts.id, id))
  await record(tx, actor, {
    kind,
    rowId: id,
    before: before ? { email: before.email, access: 'old' } : null,
    after: { email, access: 'given' },
  })
  return id
}

/** Ends the access at Google, then forgets the account and its locations. Others that reach some of them read them again. */
export async function unlink({ me, actor, house }: By, id: number): Promise<void> {
  const [account] = await house.db.select().from(googleAccounts).where(eq(googleAccounts.id, id))
  if (!account) throw notFound()
  if (!me.isSuperAdmin && account.linked_by !== me.id) throw forbidden()
  try {
    await revoke(googleOf(house), house.secrets.open(account.refresh_token, refreshTokenPlace(id)))
  } catch (error) {
    throw refusalOf(error)
  }
  await house.db.transaction(async (tx) => {
    const [gone] = await tx.delete(googleAccounts).where(eq(googleAccounts.id, id)).returning()
    if (!gone) return
    const { email, account_name } = gone
    await record(tx, actor, { kind, rowId: id, before: { email, account_name }, after: null })
    await syncSoon(house, tx)
  })
}
