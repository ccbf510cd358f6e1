import { and, eq, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { conflict, Refusal } from '#core/http/errors.ts'
import { type Asking, Google, missingSettings } from '#integrations/google/connection.ts'
import { GoogleRefusal, GrantGone } from '#integrations/google/errors.ts'
import { type Access, refresh } from '#integrations/google/tokens.ts'
import type { Outbound } from '#integrations/outbound/outbound.ts'
import { OutboundProblem } from '#integrations/outbound/outbound-problem.ts'
import { UpstreamAnswer, UpstreamRests } from '#integrations/outbound/upstream.ts'
import { googleAccounts, refreshTokenPlace } from '../schema.ts'

/** What this process knows of Google: whether it answers, and what opens whose account for the hour. */
type Known = { google: Google; accesses: Map<number, Access> }
const known = new WeakMap<Outbound, Known>()
function knownOf({ outbound, settings }: House): Known {
  const found = known.get(outbound) ?? { google: new Google(outbound, settings), accesses: new Map() }
  known.set(outbound, found)
  return found
}
export const googleOf = (house: House) => knownOf(house).google

export function expectConnected({ settings }: House) {
  const missing = missingSettings(settings)
  if (missing.length > 0) throw conflict(`Google is not connected: set ${missing.join(' and ')}`)
}

/** The account was unlinked meanwhile. */
export class Unlinked extends Error {}

/** Asks Google as a linked account, with an access that is renewed as often as it takes. Throws `GrantGone` where it must be linked again. */
export function asking(house: House, accountId: number): Asking {
  const { google, accesses } = knownOf(house)
  return async (...question) => {
    try {
      return await google.ask(await accessOf(house, accountId), ...question)
    } catch (error) {
      if (!(error instanceof GoogleRefusal && error.status === 401)) throw error
      accesses.delete(accountId)
      return google.ask(await accessOf(house, accountId), ...question)
    }
  }
}

/** What came with a new link is as good as any. */
export const keepAccess = (house: House, accountId: number, access: Access) =>
  knownOf(house).accesses.set(accountId, access)

async function accessOf(house: House, accountId: number): Promise<string> {
  expectConnected(house)
  const { google, accesses } = knownOf(house)
  const kept = accesses.get(accountId)
  if (kept && kept.until > Date.now()) return kept.token
  const { refresh_token, needs_relink_since } = googleAccounts
  const [account] = await house.db
    .select({ refresh_token, needs_relink_since })
    .from(googleAccounts)
    .where(eq(googleAccounts.id, accountId))
  if (!account) throw new Unlinked('The account is not linked any more')
  if (account.needs_relink_since) throw new GrantGone()
  try {
    const access = await refresh(google, house.secrets.open(account.refresh_token, refreshTokenPlace(accountId)))
    accesses.set(accountId, access)
    return access.token
  } catch (error) {
    // Unless it was linked again meanwhile.
    if (error instanceof GrantGone)
      await house.db
        .update(googleAccounts)
        .set({ needs_relink_since: sql`coalesce(${needs_relink_since}, now())` })
        .where(and(eq(googleAccounts.id, accountId), eq(refresh_token, account.refresh_token)))
    throw error
  }
}

/** Busy, broken, silent or out of reach: worth another try. */
export const mayPass = (error: unknown) =>
  error instanceof UpstreamAnswer || error instanceof UpstreamRests || error instanceof OutboundProblem

/** What went wrong at Google, for people; null for what is a bug of ours. */
export function wordsOf(error: unknown): string | null {
  if (error instanceof GrantGone) return error.message
  if (error instanceof GoogleRefusal) return `Google says: ${error.message}`
  if (error instanceof UpstreamAnswer && error.status === 429) return 'Google has had enough questions for now'
  if (mayPass(error)) return `Google is out of reach: ${error instanceof Error ? error.message : ''}`
  return null
}

/** The same as an answer to whoever waits for it. */
export function refusalOf(error: unknown): unknown {
  const words = wordsOf(error)
  if (words === null) return error
  if (error instanceof GrantGone) return conflict('The Google account of this location must be linked again')
  return mayPass(error) ? new Refusal(503, `${words}. Please try again in a moment`) : conflict(words)
}
