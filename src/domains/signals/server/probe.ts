import { and, eq, isNull, sql } from 'drizzle-orm'
import { getErrorMessage } from '#contract/error-message.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { type CompanyProbe, probeCallRailCompany } from '#domains/leads/public.ts'
import { checkCampaignListings, checkOneListing } from '#domains/listings/public.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { checkSiteNow, lookUpDomainNow } from '#domains/sites/public.ts'
import type { SourceProbe } from '../describe-checks.ts'
import { signalsTable } from '../schema.ts'
import { unprobedTypes } from '../unprobed-types.ts'
import { foundLostHooks, type SignalEvidence } from './finding.ts'
import { announceSignals, type OpenSignal } from './store.ts'

/** Checks the subject of a signal again, perhaps for a person. The runner then opens or closes signals by the result. */
export async function probeSignal(
  context: AppContext,
  id: number,
  { now = new Date(), isByHand = false } = {},
): Promise<void> {
  const [signal] = await context.db
    .select()
    .from(signalsTable)
    .where(and(eq(signalsTable.id, id), isNull(signalsTable.closed_at)))
  if (!signal || unprobedTypes.has(signal.subject_type)) return
  if (signal.subject_type === 'source') await probeSource(context, signal, { now, isByHand })
  else if (await probeSubject(context, signal, isByHand))
    await context.db.transaction(async (tx) => {
      await tx.update(signalsTable).set({ probed_at: sql`now()` }).where(eq(signalsTable.id, id))
      await announceSignals(tx)
    })
}

/** Returns whether it was checked: false if the answer comes later, or did not come. */
async function probeSubject(
  context: AppContext,
  { subject_type, subject_id, subject_label }: OpenSignal,
  isByHand: boolean,
): Promise<boolean> {
  const id = Number(subject_id)
  if (subject_type === 'client_site') await checkSite(context, { kind: 'client', id, isByHand })
  if (subject_type === 'network_site') await checkSite(context, { kind: 'network', id, isByHand })
  if (subject_type === 'listing') return checkOneListing(context, id)
  if (subject_type === 'domain') return tryLookUpDomain(context, subject_label)
  return true
}

/** If the registry does not answer, the stored registration stays. */
async function tryLookUpDomain(context: AppContext, domain: string): Promise<boolean> {
  try {
    await lookUpDomainNow(context, domain)
    return true
  } catch (error) {
    context.log.info({ domain, reason: getErrorMessage(error) }, 'domain not looked up')
    return false
  }
}

/** Returns whether the site is up now; null if unknown. */
async function checkSite(
  context: AppContext,
  { kind, id, isByHand }: { kind: 'client' | 'network'; id: number; isByHand: boolean },
): Promise<boolean | null> {
  const table = kind === 'client' ? clientSitesTable : networkSitesTable
  const find = () =>
    context.db
      .select({ url: table.url, host: table.host, status: table.status, misses: table.misses })
      .from(table)
      .where(eq(table.id, id))
  const [site] = await find()
  if (!site?.host) return null
  // One miss changes nothing: a second check decides.
  for (let look = 0; look < 2; look++) {
    await checkSiteNow(context, { kind, id, url: site.url, host: site.host }, { isByHand })
    const [now] = await find()
    if (!now || now.misses === 0) break
  }
  const [now] = await find()
  return now?.status === null || now === undefined ? null : now.status === 1
}

/** Checks CallRail's own list, the site and the campaign's listings. The cause found becomes the kind. */
async function probeSource(
  context: AppContext,
  signal: OpenSignal,
  { now, isByHand }: { now: Date; isByHand: boolean },
): Promise<void> {
  const siteId = Number(signal.subject_id.split('/')[0])
  const isCallRail = signal.subject_id.endsWith('/callrail')
  const since = new Date(String(signal.evidence.last_lead_at ?? signal.opened_at.toISOString()))
  const calls: CompanyProbe = isCallRail
    ? await probeCallRailCompany(context, siteId, since, now)
    : { probed: false, calls: 0, stored: 0, error: null }
  const isUp = await orNull(() => checkSite(context, { kind: 'client', id: siteId, isByHand }))
  const listings =
    signal.campaign_id === null ? [] : ((await orNull(() => checkCampaignListings(context, signal.campaign_id!))) ?? [])
  const probe: SourceProbe = {
    at: new Date().toISOString(),
    calls: calls.probed ? { listed: calls.calls, brought_in: calls.stored, error: calls.error } : null,
    site: isUp === null ? null : isUp ? 'live' : 'offline',
    listings,
  }
  await context.db.transaction(async (tx) => saveProbe(tx, signal, probe, now))
}

async function saveProbe(tx: Tx, before: OpenSignal, probe: SourceProbe, began: Date): Promise<void> {
  const { id } = before
  const [signal] = await tx.select().from(signalsTable).where(eq(signalsTable.id, id)).for('update')
  if (!signal || signal.closed_at !== null) return
  const host = signal.subject_label.replace(/ \([^()]*\)$/, '') // without the provider
  // The detectors may have counted these calls in the meantime.
  const broughtIn = (of: OpenSignal) => Number(of.evidence.brought_in ?? 0)
  const brought = Math.max(broughtIn(signal), broughtIn(before) + (probe.calls?.brought_in ?? 0))
  const lost = brought > 0 ? foundLostHooks(host, brought) : null
  const found: Partial<OpenSignal> = lost
    ? { kind: lost.kind, title: lost.title, expected_lost: null }
    : probe.site === 'offline'
      ? { kind: 'site_offline', title: `No leads from ${host}: the website is down` }
      : {}
  const evidence: SignalEvidence = {
    ...signal.evidence,
    says: lost ? lost.says : String(signal.evidence.says),
    ...(brought > 0 ? { brought_in: brought } : {}),
    ...(lost && signal.kind !== 'hooks_lost' ? { hooks_lost_at: began.toISOString() } : {}),
    probe,
  }
  // Without an account, and where the site's check was refused, nothing was looked at.
  const isChecked = probe.calls !== null || probe.site !== null || probe.listings.length > 0
  await tx
    .update(signalsTable)
    .set({ ...found, evidence, ...(isChecked ? { probed_at: new Date() } : {}) })
    .where(eq(signalsTable.id, id))
  await announceSignals(tx)
}

/** Returns null for a check that cannot run now because of others. */
async function orNull<T>(check: () => Promise<T>): Promise<T | null> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof HttpError) return null
    throw error
  }
}
