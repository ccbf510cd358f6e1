import { setImmediate as breath } from 'node:timers/promises'
import { and, isNotNull, isNull } from 'drizzle-orm'
import { isEqualText } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import { clientSitesTable, hookKeyAad, signingKeyAad } from '#domains/sites/client/schema.ts'
import {
  isCallRailSignatureValid,
  isSignatureFormat,
  readCompanyIds,
  scanCompanyIds,
} from '#integrations/callrail/webhook.ts'
import type { SealedSite } from './inbox.ts'
import { parseEventBody } from './parse-body.ts'

/** Whether an event is from whom it says. `siteId` is null where it is ours for certain but names no site we know. */
export type SenderVerification = { proven: true; siteId: number | null } | { proven: false }

const verificationFailed: SenderVerification = { proven: false }

/**
 * The company that the body names must be the one whose key signed it. A body that names none of ours (broken, or a company
 * that nobody entered yet) is kept if any key of ours signed it: CallRail does not send it again.
 */
export async function verifyCallRailSender(
  context: AppContext,
  body: Buffer,
  signature: string,
): Promise<SenderVerification> {
  if (!isSignatureFormat(signature)) return verificationFailed
  const sites = await context.inbox.sitesOf(findCompanies(body))
  if (sites.length > 0) {
    const site = sites.find((one) => isSignedBySite(context, one, body, signature))
    return site ? { proven: true, siteId: site.id } : verificationFailed
  }
  return (await isSignedByAnyKey(context, body, signature)) ? { proven: true, siteId: null } : verificationFailed
}

/** The site's own key signs for it, else the agency's. Where there is neither, nothing is believed. */
export function isSignedBySite(
  { secrets, settings }: AppContext,
  { id, signingKey }: Pick<SealedSite, 'id' | 'signingKey'>,
  body: Buffer,
  signature: string,
): boolean {
  const key = signingKey ? secrets.open(signingKey, signingKeyAad(id)) : settings.CALLRAIL_SIGNING_KEY
  return key !== undefined && isCallRailSignatureValid(key, body, signature)
}

function findCompanies(body: Buffer): string[] {
  try {
    return readCompanyIds(parseEventBody(body))
  } catch {
    return scanCompanyIds(body)
  }
}

/** The agency's key first; only then, where companies have keys of their own, each of those, a few at a time so that others get their turn. */
async function isSignedByAnyKey(context: AppContext, body: Buffer, signature: string): Promise<boolean> {
  const shared = context.settings.CALLRAIL_SIGNING_KEY
  if (shared !== undefined && isCallRailSignatureValid(shared, body, signature)) return true
  for (const [index, key] of (await readSigningKeys(context)).entries()) {
    if (isCallRailSignatureValid(key, body, signature)) return true
    if (index % 16 === 15) await breath()
  }
  return false
}

/** Opened keys by their sealed bytes: a key that is changed is sealed anew, so nothing here can be out of date. */
const openedKeysCache = new WeakMap<AppContext, Map<string, string>>()

async function readSigningKeys(context: AppContext): Promise<string[]> {
  const rows = await context.db
    .select({ id: clientSitesTable.id, sealed: clientSitesTable.callrail_signing_key })
    .from(clientSitesTable)
    .where(and(isNotNull(clientSitesTable.callrail_signing_key), isNull(clientSitesTable.deleted_at)))
  const before = openedKeysCache.get(context)
  const now = new Map<string, string>()
  for (const { id, sealed } of rows) {
    const name = sealed!.toString('base64')
    now.set(name, before?.get(name) ?? context.secrets.open(sealed!, signingKeyAad(id)))
  }
  openedKeysCache.set(context, now)
  return [...new Set(now.values())]
}

/** Basic auth with the site's key as the user name, any password. An unknown site and a wrong key look alike. */
export async function verifyFormSender(
  context: AppContext,
  siteId: number,
  authorization: string,
): Promise<SenderVerification> {
  const site = await context.inbox.siteById(siteId)
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization)?.[1] ?? ''
  const [given = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const key = site?.hookKey ? context.secrets.open(site.hookKey, hookKeyAad(siteId)) : ''
  const same = isEqualText(given, key)
  return same && key !== '' ? { proven: true, siteId } : verificationFailed
}
