import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Google, GoogleSettings } from './connection.ts'
import { GoogleRefusal, GrantGone } from './errors.ts'

/** OAuth 2 with PKCE: how an account is linked, and what comes of it. */

const manage = 'https://www.googleapis.com/auth/business.manage'
/** The last two tell whose account was linked. */
export const scopes = [manage, 'openid', 'email'] as const

/** Where Google sends people back to; it must stand in the OAuth client, letter by letter. */
export const redirectAddress = ({ PUBLIC_URL }: Pick<GoogleSettings, 'PUBLIC_URL'>) => `${PUBLIC_URL}/gmb-manager`

/** Where somebody says yes. A lasting access is given with `offline`, and again with `consent`. */
export function consentAddress(settings: GoogleSettings, { state, verifier }: { state: string; verifier: string }) {
  const url = new URL(settings.GOOGLE_AUTH_URL)
  const query = {
    client_id: settings.GOOGLE_CLIENT_ID ?? '',
    redirect_uri: redirectAddress(settings),
    response_type: 'code',
    scope: scopes.join(' '),
    access_type: 'offline',
    prompt: 'consent select_account',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

export type Access = { token: string; until: number }
/** Who it is, and what opens their account from now on. */
export type Grant = { subject: string; email: string; refreshToken: string; access: Access }

export async function exchange(google: Google, code: string, verifier: string): Promise<Grant> {
  const answer = granted.parse(
    await google.post('token', {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectAddress(google.settings),
      ...client(google.settings),
    }),
  )
  if (!answer.scope.split(' ').includes(manage))
    throw new GoogleRefusal(403, 'Access to the Business Profiles was not given: tick it when Google asks')
  if (!answer.refresh_token)
    throw new GoogleRefusal(
      403,
      'Google gave no lasting access: take Leadline off the account’s connections and link it anew',
    )
  const { sub, email } = identity.parse(claimsOf(answer.id_token))
  return { subject: sub, email, refreshToken: answer.refresh_token, access: accessOf(answer) }
}

/** Throws `GrantGone` when it was revoked or has ended. */
export async function refresh(google: Google, refreshToken: string): Promise<Access> {
  try {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...client(google.settings) }
    return accessOf(token.parse(await google.post('token', form)))
  } catch (error) {
    if (isInvalidGrant(error)) throw new GrantGone()
    throw error
  }
}

/** One that Google does not know any more is revoked as well as any. */
export async function revoke(google: Google, refreshToken: string): Promise<void> {
  try {
    await google.post('revoke', { token: refreshToken })
  } catch (error) {
    if (!(error instanceof GoogleRefusal && error.status === 400)) throw error
  }
}

/** A code or a token that is used up, revoked or ended. */
export const isInvalidGrant = (error: unknown) => error instanceof GoogleRefusal && error.word === 'invalid_grant'

const client = ({ GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '' }: GoogleSettings) => ({
  client_id: GOOGLE_CLIENT_ID,
  client_secret: GOOGLE_CLIENT_SECRET,
})

/** A little early: what is asked with it takes its time. */
const accessOf = ({ access_token, expires_in }: z.infer<typeof token>): Access => ({
  token: access_token,
  until: Date.now() + (expires_in - 60) * 1000,
})

/** It came straight from Google over its own line, so its signature need not be asked. */
function claimsOf(idToken: string): unknown {
  const [, claims = ''] = idToken.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
}

const token = z.looseObject({ access_token: z.string().min(1), expires_in: z.number() })
const granted = token.extend({ refresh_token: z.string().optional(), scope: z.string(), id_token: z.string() })
const identity = z.looseObject({ sub: z.string().min(1), email: z.string().min(1) })
