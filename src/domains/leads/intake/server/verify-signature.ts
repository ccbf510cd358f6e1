import { setImmediate as breath } from 'node:timers/promises'
import { and, isNotNull, isNull } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { sameText } from '#core/secrets/secrets.ts'
import { clientSites, hookKeyPlace, signingKeyPlace } from '#domains/sites/client/schema.ts'
import { companiesMentioned, companiesOf, isSignedWith, looksSigned } from '#integrations/callrail/webhook.ts'
import type { SealedSite } from './inbox.ts'
import { parseBody } from './parse-body.ts'

/** Whether an event is from whom it says. `siteId` is null where it is ours for certain but names no site we know. */
export type Proof = { proven: true; siteId: number | null } | { proven: false }

const refused: Proof = { proven: false }

/**
 * The company that the body names must be the one whose key signed it. A body that names none of ours (broken, or a company
 * that nobody entered yet) is kept if any key of ours signed it: CallRail does not send it again.
 */
export async function proofOfCallRail(house: House, body: Buffer, signature: string): Promise<Proof> {
  if (!looksSigned(signature)) return refused
  const sites = await house.inbox.sitesOf(companiesIn(body))
  if (sites.length > 0) {
    const site = sites.find((one) => signs(house, one, body, signature))
    return site ? { proven: true, siteId: site.id } : refused
  }
  return (await isSignedByAnyone(house, body, signature)) ? { proven: true, siteId: null } : refused
}

/** The site's own key signs for it, else the agency's. Where there is neither, nothing is believed. */
export function signs(
  { secrets, settings }: House,
  { id, signingKey }: Pick<SealedSite, 'id' | 'signingKey'>,
  body: Buffer,
  signature: string,
): boolean {
  const key = signingKey ? secrets.open(signingKey, signingKeyPlace(id)) : settings.CALLRAIL_SIGNING_KEY
  return key !== undefined && isSignedWith(key, body, signature)
}

function companiesIn(body: Buffer): string[] {
  try {
    return companiesOf(parseBody(body))
  } catch {
    return companiesMentioned(body)
  }
}

/** The agency's key first; only then, where companies have keys of their own, each of those, a few at a time so that others get their turn. */
async function isSignedByAnyone(house: House, body: Buffer, signature: string): Promise<boolean> {
  const shared = house.settings.CALLRAIL_SIGNING_KEY
  if (shared !== undefined && isSignedWith(shared, body, signature)) return true
  for (const [index, key] of (await siteKeys(house)).entries()) {
    if (isSignedWith(key, body, signature)) return true
    if (index % 16 === 15) await breath()
  }
  return false
}

/** Opened keys by their sealed bytes: a key that is changed is sealed anew, so nothing here can be out of date. */
const opened = new WeakMap<House, Map<string, string>>()

async function siteKeys(house: House): Promise<string[]> {
  const rows = await house.db
    .select({ id: clientSites.id, sealed: clientSites.callrail_signing_key })
    .from(clientSites)
    .where(and(isNotNull(clientSites.callrail_signing_key), isNull(clientSites.deleted_at)))
  const before = opened.get(house)
  const now = new Map<string, string>()
  for (const { id, sealed } of rows) {
    const name = sealed!.toString('base64')
    now.set(name, before?.get(name) ?? house.secrets.open(sealed!, signingKeyPlace(id)))
  }
  opened.set(house, now)
  return [...new Set(now.values())]
}

/** Basic auth with the site's key as the user name, any password. An unknown site and a wrong key look alike. */
export async function proofOfForm(house: House, siteId: number, authorization: string): Promise<Proof> {
  const site = await house.inbox.siteById(siteId)
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization)?.[1] ?? ''
  const [given = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const key = site?.hookKey ? house.secrets.open(site.hookKey, hookKeyPlace(siteId)) : ''
  const same = sameText(given, key)
  return same && key !== '' ? { proven: true, siteId } : refused
}
