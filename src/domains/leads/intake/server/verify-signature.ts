import { setImmediate as breath } from 'node:timers/promises'
import { isEqualText } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import { hookKeyAad, signingKeyAad } from '#domains/sites/client/schema.ts'
import {
  isCallRailSignatureValid,
  isSignatureFormat,
  readCompanyIds,
  scanCompanyIds,
} from '#integrations/callrail/webhook.ts'
import type { SealedSite } from './inbox.ts'
import { databaseSenders, type KnownSenders, type SenderClaim } from './known-senders.ts'
import { parseEventBody } from './parse-body.ts'

/**
 * Whether an event's sender is verified. `siteId` is null if one of our keys signed the event but it names no known site. `isKnown`
 * means that the site exists, so the proof is wrong.
 */
type SenderVerification =
  | { proven: true; siteId: number | null; sourceId?: number }
  | { proven: false; isKnown: boolean }

const wrongProof: SenderVerification = { proven: false, isKnown: true }
const unknownSender: SenderVerification = { proven: false, isKnown: false }

export function verifySender(
  context: AppContext,
  claim: SenderClaim,
  body: Buffer,
  senders: KnownSenders = databaseSenders(context),
): Promise<SenderVerification> {
  if (claim.provider === 'callrail') return verifyCallRailSender(context, senders, body, claim.signature)
  if (claim.provider === 'formidable') return verifyFormSender(context, senders, claim.siteId, claim.authorization)
  return verifySourceKey(senders, claim.key)
}

/**
 * The key of the company that the body names must have signed it. A body that names no known company (broken, or a company
 * that was not entered yet) is accepted if any of our keys signed it, because CallRail does not send it again.
 */
async function verifyCallRailSender(
  context: AppContext,
  senders: KnownSenders,
  body: Buffer,
  signature: string,
): Promise<SenderVerification> {
  if (!isSignatureFormat(signature)) return wrongProof
  const sites = await senders.sitesOf(findCompanies(body))
  if (sites.length > 0) {
    const site = sites.find((one) => isSignedBySite(context, one, body, signature))
    return site ? { proven: true, siteId: site.id } : wrongProof
  }
  return (await isSignedByAnyKey(context, senders, body, signature)) ? { proven: true, siteId: null } : unknownSender
}

/** Verifies a signature with the site's own key, or else the agency's. Returns false if there is neither. */
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

/** Tries the agency's key first, then each company's own key. Yields to other work after every few keys. */
async function isSignedByAnyKey(
  context: AppContext,
  senders: KnownSenders,
  body: Buffer,
  signature: string,
): Promise<boolean> {
  const shared = context.settings.CALLRAIL_SIGNING_KEY
  if (shared !== undefined && isCallRailSignatureValid(shared, body, signature)) return true
  for (const [index, key] of openSigningKeys(context, await senders.sitesWithSigningKey()).entries()) {
    if (isCallRailSignatureValid(key, body, signature)) return true
    if (index % 16 === 15) await breath()
  }
  return false
}

/** Decrypted keys by their encrypted bytes. A changed key has new bytes, so entries cannot be out of date. */
const openedKeysCache = new WeakMap<AppContext, Map<string, string>>()

function openSigningKeys(context: AppContext, sites: Pick<SealedSite, 'id' | 'signingKey'>[]): string[] {
  const before = openedKeysCache.get(context)
  const now = new Map<string, string>()
  for (const { id, signingKey } of sites) {
    const name = signingKey!.toString('base64')
    now.set(name, before?.get(name) ?? context.secrets.open(signingKey!, signingKeyAad(id)))
  }
  openedKeysCache.set(context, now)
  return [...new Set(now.values())]
}

/** Verifies Basic auth with the site's key as the user name and any password. Unknown sites and wrong keys are indistinguishable. */
async function verifyFormSender(
  context: AppContext,
  senders: KnownSenders,
  siteId: number,
  authorization: string,
): Promise<SenderVerification> {
  const site = await senders.siteById(siteId)
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization)?.[1] ?? ''
  const [given = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const key = site?.hookKey ? context.secrets.open(site.hookKey, hookKeyAad(siteId)) : ''
  const same = isEqualText(given, key)
  if (same && key !== '') return { proven: true, siteId }
  return site ? wrongProof : unknownSender
}

async function verifySourceKey(senders: KnownSenders, key: string): Promise<SenderVerification> {
  const source = await senders.sourceByKey(key)
  return source ? { proven: true, siteId: source.clientsite_id, sourceId: source.id } : unknownSender
}
