import { and, eq, sql } from 'drizzle-orm'
import { conflictError, HttpError } from '#core/http/errors.ts'
import { createOncePer } from '#core/once-per.ts'
import type { AppContext } from '#domains/app-context.ts'
import { listConnections, readConnectionSecret, recordConnectionUse } from '#domains/connections/public.ts'
import { GoogleClient, type GoogleFetch, type OAuthClient } from '#integrations/google/connection.ts'
import { GoogleApiError, GrantRevokedError } from '#integrations/google/errors.ts'
import { type AccessToken, refreshAccessToken } from '#integrations/google/tokens.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import { UnexpectedAnswerError } from '#integrations/outbound/parse-answer.ts'
import { CircuitOpenError, UpstreamStatusError } from '#integrations/outbound/upstream.ts'
import { getRefreshTokenContext, googleAccountsTable } from '../schema.ts'

/** Cached per process: the client with its circuit breaker, and the access token of each account. */
const getSessionOf = createOncePer((outbound: OutboundClient, settings: AppContext['settings']) => ({
  google: new GoogleClient(outbound, settings),
  accesses: new Map<number, AccessToken>(),
}))
const getGoogleSession = ({ outbound, settings }: AppContext) => getSessionOf(outbound, settings)
export const getGoogleClient = (context: AppContext) => getGoogleSession(context).google

/** Returns the client that Google knows, as the page Connections or the environment sets it now; null without one. */
export async function findOAuthClient(context: AppContext): Promise<(OAuthClient & { connectionId: number }) | null> {
  const [connection] = await listConnections(context, 'google')
  const client = connection && (await readConnectionSecret(context, 'google', connection.id))
  return client?.client_secret ? { ...client, connectionId: connection!.id } : null
}

/** Returns the client; throws 409 without one. */
export async function requireOAuthClient(context: AppContext) {
  const client = await findOAuthClient(context)
  if (!client) throw conflictError(`Google is not connected: set ${findMissingSettings(context).join(' and ')}`)
  return client
}

/** Returns the settings that are still missing, where no connection has the client. */
export const findMissingSettings = ({ settings }: AppContext) =>
  (['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const).filter((name) => !settings[name])

/** Thrown if the account was unlinked while it was in use. */
export class AccountUnlinkedError extends Error {}

/** Returns a fetch that sends the account's access token and renews it. Throws `GrantRevokedError` if the account must be linked again. */
export function createGoogleFetch(context: AppContext, accountId: number): GoogleFetch {
  const { google, accesses } = getGoogleSession(context)
  return async (...question) => {
    try {
      return await google.ask(await getAccessToken(context, accountId), ...question)
    } catch (error) {
      if (!(error instanceof GoogleApiError && error.status === 401)) throw error
      accesses.delete(accountId)
      return google.ask(await getAccessToken(context, accountId), ...question)
    }
  }
}

/** Caches the token of a newly linked account, which saves its first refresh. */
export const cacheAccessToken = (context: AppContext, accountId: number, access: AccessToken) =>
  getGoogleSession(context).accesses.set(accountId, access)

async function getAccessToken(context: AppContext, accountId: number): Promise<string> {
  const { connectionId, ...client } = await requireOAuthClient(context)
  const { google, accesses } = getGoogleSession(context)
  const kept = accesses.get(accountId)
  if (kept && kept.until > Date.now()) return kept.token
  const { refresh_token, needs_relink_since } = googleAccountsTable
  const [account] = await context.db
    .select({ refresh_token, needs_relink_since })
    .from(googleAccountsTable)
    .where(eq(googleAccountsTable.id, accountId))
  if (!account) throw new AccountUnlinkedError('The account is no longer linked')
  if (account.needs_relink_since) throw new GrantRevokedError()
  try {
    const access = await refreshAccessToken(
      google,
      client,
      context.secrets.open(account.refresh_token, getRefreshTokenContext(accountId)),
    )
    accesses.set(accountId, access)
    await recordConnectionUse(context.db, connectionId, { state: 'works' })
    return access.token
  } catch (error) {
    // Google does not know the client any more. A revoked account says nothing about it.
    if (error instanceof GoogleApiError)
      await recordConnectionUse(context.db, connectionId, { state: 'refused', says: `Google says: ${error.message}` })
    // Unless it was linked again in the meantime.
    if (error instanceof GrantRevokedError)
      await context.db
        .update(googleAccountsTable)
        .set({
          needs_relink_since: sql`coalesce(${needs_relink_since}, now())`,
          refused_client: error.isOfAnotherClient ? client.client_id : null,
        })
        .where(and(eq(googleAccountsTable.id, accountId), eq(refresh_token, account.refresh_token)))
    throw error
  }
}

/** Whether a retry may succeed: Google is busy, failing or unreachable. */
export const isTransientGoogleError = (error: unknown) =>
  error instanceof UpstreamStatusError || error instanceof CircuitOpenError || error instanceof OutboundError

/** Describes Google's error for users; null for a bug of ours. */
export function describeGoogleError(error: unknown): string | null {
  if (error instanceof GrantRevokedError || error instanceof UnexpectedAnswerError) return error.message
  if (error instanceof GoogleApiError) return `Google says: ${error.message}`
  if (error instanceof UpstreamStatusError && error.status === 429) return 'Google’s request limit is reached for now'
  if (isTransientGoogleError(error))
    return `Google could not be reached: ${error instanceof Error ? error.message : ''}`
  return null
}

/** Converts Google's error to an HTTP error; returns a bug of ours unchanged. */
export function toGoogleHttpError(error: unknown): unknown {
  const words = describeGoogleError(error)
  if (words === null) return error
  if (error instanceof GrantRevokedError)
    return conflictError('The Google account of this location must be linked again')
  return isTransientGoogleError(error)
    ? new HttpError(503, `${words}. Please try again in a moment`)
    : conflictError(words)
}
