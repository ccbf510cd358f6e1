import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../outbound/response.ts'
import type { GoogleClient, GoogleSettings, OAuthClient } from './connection.ts'
import { GoogleApiError, GrantRevokedError, parseGoogleAnswer } from './errors.ts'

/** OAuth 2 with PKCE: linking an account, and its tokens. */

const manageScope = 'https://www.googleapis.com/auth/business.manage'
/** The last two identify the linked account. */
export const oauthScopes = [manageScope, 'openid', 'email'] as const

/** Returns the redirect URI; it must be registered with the OAuth client in exactly this form. */
export const buildRedirectUri = ({ PUBLIC_URL }: Pick<GoogleSettings, 'PUBLIC_URL'>) => `${PUBLIC_URL}/gmb-manager`

/** Returns the address of Google's consent page. `offline` requests a refresh token, and `consent` makes Google issue a new one. */
export function buildConsentUrl(
  settings: GoogleSettings,
  { client_id }: OAuthClient,
  { state, verifier }: { state: string; verifier: string },
) {
  const url = new URL(settings.GOOGLE_AUTH_URL)
  const query = {
    client_id,
    redirect_uri: buildRedirectUri(settings),
    response_type: 'code',
    scope: oauthScopes.join(' '),
    access_type: 'offline',
    prompt: 'consent select_account',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

export type AccessToken = { token: string; until: number }
/** The linked account and its tokens. */
export type GoogleGrant = { subject: string; email: string; refreshToken: string; access: AccessToken }

export async function exchangeCode(
  google: GoogleClient,
  client: OAuthClient,
  code: string,
  verifier: string,
): Promise<GoogleGrant> {
  const answer = parseGoogleAnswer(
    grantSchema,
    await google.post('token', {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: buildRedirectUri(google.settings),
      ...client,
    }),
  )
  if (!answer.scope.split(' ').includes(manageScope))
    throw new GoogleApiError(403, 'Access to the Business Profiles was not granted: check its box when Google asks')
  if (!answer.refresh_token)
    throw new GoogleApiError(
      403,
      'Google granted no offline access: remove Leadline from the account’s connections and link it again',
    )
  const { sub, email } = parseGoogleAnswer(identitySchema, decodeClaims(answer.id_token))
  return { subject: sub, email, refreshToken: answer.refresh_token, access: toAccessToken(answer) }
}

/** Throws `GrantRevokedError` if the access was revoked, has expired, or was given to another client. */
export async function refreshAccessToken(
  google: GoogleClient,
  client: OAuthClient,
  refreshToken: string,
): Promise<AccessToken> {
  try {
    return await exchangeRefreshToken(google, client, refreshToken)
  } catch (error) {
    if (isInvalidGrant(error)) throw new GrantRevokedError()
    if (isOfAnotherClient(error)) throw new GrantRevokedError({ isOfAnotherClient: true })
    throw error
  }
}

/**
 * Asks Google whether it knows a client and its secret, with a token that does not exist: the client is checked first. Throws
 * `GoogleApiError` with Google's words if it does not.
 */
export async function checkClient(google: GoogleClient, client: OAuthClient): Promise<void> {
  try {
    await exchangeRefreshToken(google, client, 'none')
  } catch (error) {
    if (!isInvalidGrant(error)) throw error
  }
}

async function exchangeRefreshToken(google: GoogleClient, client: OAuthClient, refresh_token: string) {
  const form = { grant_type: 'refresh_token', refresh_token, ...client }
  return toAccessToken(parseGoogleAnswer(tokenSchema, await google.post('token', form)))
}

/** Revokes the access; succeeds if Google does not know the token any more. */
export async function revokeGrant(google: GoogleClient, refreshToken: string): Promise<void> {
  try {
    await google.post('revoke', { token: refreshToken })
  } catch (error) {
    if (!(error instanceof GoogleApiError && error.status === 400)) throw error
  }
}

/** Returns whether a code or token is used up, revoked or expired. */
export const isInvalidGrant = (error: unknown) => error instanceof GoogleApiError && error.word === 'invalid_grant'

/** Returns whether a refresh token is another client's; a client that Google does not know is an `invalid_client`. */
const isOfAnotherClient = (error: unknown) => error instanceof GoogleApiError && error.word === 'unauthorized_client'

/** Expires tokens a minute early, because requests take time. */
const toAccessToken = ({ access_token, expires_in }: z.infer<typeof tokenSchema>): AccessToken => ({
  token: access_token,
  until: Date.now() + (expires_in - 60) * 1000,
})

/** Decodes the claims without checking the signature: the token came directly from Google over TLS. Undefined if there are none. */
function decodeClaims(idToken: string): unknown {
  const [, claims = ''] = idToken.split('.')
  return parseJson(Buffer.from(claims, 'base64url').toString('utf8'))
}

const tokenSchema = z.looseObject({ access_token: z.string().min(1), expires_in: z.number() })
const grantSchema = tokenSchema.extend({
  refresh_token: z.string().optional(),
  scope: z.string(),
  id_token: z.string(),
})
const identitySchema = z.looseObject({ sub: z.string().min(1), email: z.string().min(1) })
