import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, forbiddenError, HttpError, notFoundError } from '#core/http/errors.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { OAuthClient } from '#integrations/google/connection.ts'
import {
  buildConsentUrl,
  exchangeCode,
  type GoogleGrant,
  isInvalidGrant,
  revokeGrant,
} from '#integrations/google/tokens.ts'
import { getRefreshTokenContext, googleAccountsTable, googleLinkStatesTable } from '../schema.ts'
import { cacheAccessToken, getGoogleClient, requireOAuthClient, toGoogleHttpError } from './google-access.ts'
import { queueAccountSync, queueAllSyncs } from './jobs.ts'

const googleAccountAuditKind = 'Google account'
const stateLifetimeMinutes = 10
/** The PKCE verifier is not stored: it is derived from the state's hash with our key. */
const deriveVerifier = ({ secrets }: AppContext, stateHash: Buffer) =>
  secrets.sign(`google link ${stateHash.toString('hex')}`)

/** Starts linking an account. The state works once, in this session, for ten minutes. */
export async function startAccountLink(context: AppContext, me: CurrentUser): Promise<string> {
  const client = await requireOAuthClient(context)
  const state = randomToken()
  const state_hash = hashSha256(state)
  await context.db.delete(googleLinkStatesTable).where(lt(googleLinkStatesTable.expires_at, sql`now()`))
  await context.db.insert(googleLinkStatesTable).values({
    state_hash,
    session_hash: me.sessionHash,
    expires_at: new Date(Date.now() + stateLifetimeMinutes * 60_000),
  })
  return buildConsentUrl(context.settings, client, { state, verifier: deriveVerifier(context, state_hash) })
}

type LinkContext = { me: CurrentUser; actor: AuditActor; context: AppContext }

/** Finishes linking: saves the account and queues a sync. Returns its id. */
export async function linkAccount(
  { me, actor, context }: LinkContext,
  code: string,
  state?: string | null,
): Promise<number> {
  const client = await requireOAuthClient(context)
  const grant = await redeemCode(context, client, code, await consumeLinkState(context, me, state))
  const id = await context.db.transaction(async (tx) => {
    const id = await saveGrant(tx, { me, actor, context }, grant)
    await queueAccountSync(context, tx, id)
    return id
  })
  cacheAccessToken(context, id, grant.access)
  return id
}

/**
 * Deletes the state first, so that it never works twice. A code without a state belongs to the only link that this session has
 * started; if there are several, it is refused.
 */
async function consumeLinkState(
  { db }: AppContext,
  me: CurrentUser,
  state: string | null | undefined,
): Promise<Buffer> {
  const live = and(
    eq(googleLinkStatesTable.session_hash, me.sessionHash),
    gt(googleLinkStatesTable.expires_at, sql`now()`),
  )
  const pending = await db
    .select({ hash: googleLinkStatesTable.state_hash })
    .from(googleLinkStatesTable)
    .where(and(live, state ? eq(googleLinkStatesTable.state_hash, hashSha256(state)) : undefined))
    .limit(2)
  const [one, another] = pending
  if (!one || another) throw createStateError()
  const taken = await db
    .delete(googleLinkStatesTable)
    .where(and(live, eq(googleLinkStatesTable.state_hash, one.hash)))
    .returning()
  if (taken.length === 0) throw createStateError()
  return one.hash
}
const createStateError = () => {
  const sentence = 'This link was not started here, or more than ten minutes ago. Please start it again'
  return new HttpError(422, sentence, { state: [sentence] })
}

async function redeemCode(
  context: AppContext,
  { client_id, client_secret }: OAuthClient,
  code: string,
  stateHash: Buffer,
): Promise<GoogleGrant> {
  try {
    return await exchangeCode(
      getGoogleClient(context),
      { client_id, client_secret },
      code,
      deriveVerifier(context, stateHash),
    )
  } catch (error) {
    if (isInvalidGrant(error)) throw conflictError('Google no longer accepts this code. Please start the link again')
    throw toGoogleHttpError(error)
  }
}

async function saveGrant(
  tx: Tx,
  { me, actor, context }: LinkContext,
  { subject, email, refreshToken }: GoogleGrant,
): Promise<number> {
  const works = { needs_relink_since: null, refused_client: null, problem: null }
  const fresh = { email, linked_by: me.id, linked_at: new Date(), ...works }
  const [before] = await tx
    .select()
    .from(googleAccountsTable)
    .where(eq(googleAccountsTable.subject, subject))
    .for('update')
  const [kept] = await tx
    .insert(googleAccountsTable)
    .values({ subject, account_name: email, refresh_token: Buffer.alloc(0), ...fresh })
    .onConflictDoUpdate({ target: googleAccountsTable.subject, set: fresh })
    .returning({ id: googleAccountsTable.id })
  const { id } = kept!
  const refresh_token = context.secrets.seal(refreshToken, getRefreshTokenContext(id)) // bound to the row's id, known only now
  await tx.update(googleAccountsTable).set({ refresh_token }).where(eq(googleAccountsTable.id, id))
  await writeAudit(tx, actor, {
    kind: googleAccountAuditKind,
    rowId: id,
    before: before ? { email: before.email, access: 'old' } : null,
    after: { email, access: 'given' },
  })
  return id
}

/** Revokes the access at Google, then deletes the account and its locations. Other accounts that reach some of them are synced again. */
export async function unlinkAccount({ me, actor, context }: LinkContext, id: number): Promise<void> {
  const [account] = await context.db.select().from(googleAccountsTable).where(eq(googleAccountsTable.id, id))
  if (!account) throw notFoundError()
  if (!me.isSuperAdmin && account.linked_by !== me.id) throw forbiddenError()
  try {
    await revokeGrant(getGoogleClient(context), context.secrets.open(account.refresh_token, getRefreshTokenContext(id)))
  } catch (error) {
    throw toGoogleHttpError(error)
  }
  await context.db.transaction(async (tx) => {
    const [gone] = await tx.delete(googleAccountsTable).where(eq(googleAccountsTable.id, id)).returning()
    if (!gone) return
    const { email, account_name } = gone
    await writeAudit(tx, actor, {
      kind: googleAccountAuditKind,
      rowId: id,
      before: { email, account_name },
      after: null,
    })
    await queueAllSyncs(context, tx)
  })
}
