import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { oidcStatesTable } from '../schema.ts'

const stateMinutes = 10

/** The nonce and the PKCE verifier are not stored: they are derived from the state's hash with our key. */
function deriveRequest({ secrets }: AppContext, state: string) {
  const hash = hashSha256(state).toString('hex')
  return { state, nonce: secrets.sign(`oidc nonce ${hash}`), verifier: secrets.sign(`oidc verifier ${hash}`) }
}

/** Starts a sign-in. Its state works once, in this browser, for ten minutes. */
export async function beginState(context: AppContext, browser: string) {
  const state = randomToken()
  await context.db.delete(oidcStatesTable).where(lt(oidcStatesTable.expires_at, sql`now()`))
  await context.db.insert(oidcStatesTable).values({
    state_hash: hashSha256(state),
    browser_hash: hashSha256(browser),
    expires_at: new Date(Date.now() + stateMinutes * 60_000),
  })
  return deriveRequest(context, state)
}

/** Returns the request that started the sign-in and uses up its state; null if this browser did not start it. */
export async function takeState(context: AppContext, state: string, browser: string) {
  const { state_hash, browser_hash, expires_at } = oidcStatesTable
  const taken = await context.db
    .delete(oidcStatesTable)
    .where(and(eq(state_hash, hashSha256(state)), eq(browser_hash, hashSha256(browser)), gt(expires_at, sql`now()`)))
    .returning({ expires_at })
  return taken.length > 0 ? deriveRequest(context, state) : null
}

const cookieName = 'leadline_oidc'

/** The cookie that binds a sign-in to the browser that started it. */
export const browserCookie = {
  write: (value: string, { PUBLIC_URL }: AppSettings) =>
    [
      `${cookieName}=${value}`,
      'Path=/api/user/oidc',
      `Max-Age=${stateMinutes * 60}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(PUBLIC_URL.startsWith('https:') ? ['Secure'] : []),
    ].join('; '),
  /** Undefined if it is none that `write` has sent, which has a UUID. */
  read: (header: string | undefined) =>
    new RegExp(`(?:^|; *)${cookieName}=([0-9a-f-]{36})(?:;|$)`).exec(header ?? '')?.[1],
}
