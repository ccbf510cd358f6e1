import { eq, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { createOncePer } from '#core/once-per.ts'
import type { AppContext } from '#domains/app-context.ts'
import { type ReachedCap, readReachedCaps } from '#domains/billing/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { readTargetChances, type SilenceNow, type TargetChance } from '#domains/insights/public.ts'
import { recordWebhookEvents } from '#domains/webhooks/public.ts'
import { describeClosings } from './closing.ts'
import { signalDetectors } from './detectors/detectors.ts'
import type { SignalFacts } from './facts.ts'
import { formatSubjectKey, type SignalFinding } from './finding.ts'
import { releaseLeftClaims } from './mutations.ts'
import { PacedValue } from './paced-value.ts'
import { readSignals } from './queries.ts'
import { readLostConnections } from './read-connections.ts'
import { readSignalFacts } from './read-facts.ts'
import { nameQuietCampaigns, readSilence, readSilentSources } from './read-silence.ts'
import {
  announceSignals,
  closeSignal,
  continueSignal,
  keyOfFinding,
  keyOfSignal,
  lockOpenSignals,
  type OpenSignal,
  openSignal,
  readJustClosed,
} from './store.ts'

type RunCounts = { opened: number; closed: number; open: number }

/** An arbitrary number that no other lock uses. */
const runnerLock = 7_226_001

/**
 * Releases claims of users who no longer see their signal, runs every detector, then opens, continues and closes signals. One process at a time: the lock is held from reading the facts to
 * writing the signals, so that older facts never overwrite newer ones.
 */
export async function runSignals(context: AppContext, asOf = new Date()): Promise<RunCounts> {
  // The slow parts run before the lock is taken.
  const silence = await readSilence(context, asOf)
  const targets = await readTargets(context, asOf)
  const caps = await readCaps(context, asOf)
  return context.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${runnerLock})`)
    await releaseLeftClaims(tx)
    const open = await lockOpenSignals(tx)
    const facts = await readFacts(tx, context, { open, silence, targets, caps, asOf })
    const findings = signalDetectors.flatMap(({ detect }) => detect(facts, asOf))
    return applyFindings(tx, context, { findings, open, asOf })
  })
}

type Known = { open: OpenSignal[]; silence: SilenceNow; targets: TargetChance[]; caps: ReachedCap[]; asOf: Date }

/** Reads the input of the detectors: stored facts, and what the models conclude. */
async function readFacts(tx: Tx, context: AppContext, known: Known): Promise<SignalFacts> {
  const { open, silence, targets, caps, asOf } = known
  const stored = await readSignalFacts(tx, context.settings.AGENCY_TIMEZONE, open, asOf)
  const rates = new Map<number, number>()
  for (const { id, leads_per_month } of silence.gaps) {
    const site = Number(id.split('/')[0])
    rates.set(site, (rates.get(site) ?? 0) + leads_per_month)
  }
  const sites = stored.sites.map((site) => ({
    ...site,
    leads_per_month: site.type === 'client_site' ? (rates.get(site.id) ?? 0) : 0,
  }))
  return {
    ...stored,
    sites,
    sources: await readSilentSources(tx, silence, open, sites, asOf),
    quiet: await nameQuietCampaigns(tx, silence),
    ...(await readLostConnections(tx, context, asOf)),
    targets: await nameTargets(tx, targets, open),
    caps,
  }
}

type Outcome = { findings: readonly SignalFinding[]; open: readonly OpenSignal[]; asOf: Date }

async function applyFindings(tx: Tx, context: AppContext, { findings, open, asOf }: Outcome): Promise<RunCounts> {
  const known = new Map(open.map((signal) => [keyOfSignal(signal), signal]))
  const ids = new Map(open.map((signal) => [keyOfSignal(signal), signal.id]))
  const wrong = new Set(findings.map(keyOfFinding))
  const justClosed = await readJustClosed(tx, asOf)
  const healed = open.filter((signal) => !wrong.has(keyOfSignal(signal)))
  const closings = await describeClosings(tx, context, healed, asOf)
  for (const signal of healed) await closeSignal(tx, signal, closings.get(signal.id)!, asOf)
  // Before children are separated from a closed parent: who sees it through one of them is told.
  await recordSignalEvents(tx, 'signal.closed', healed)
  const opened: OpenSignal[] = []
  let isChanged = healed.length > 0
  // Detectors return parents first, so a new parent already has its id here.
  for (const finding of findings) {
    const key = keyOfFinding(finding)
    const parentKey = finding.parent && formatSubjectKey(finding.parent)
    const parent_id = parentKey !== undefined && wrong.has(parentKey) ? (ids.get(parentKey) ?? null) : null
    const before = known.get(key)
    if (before) {
      isChanged = (await continueSignal(tx, before, finding, parent_id)) !== before || isChanged
      continue
    }
    const signal = await openSignal(tx, context, finding, { asOf, parent_id, closed: justClosed.get(key) })
    ids.set(key, signal.id)
    opened.push(signal)
  }
  await recordSignalEvents(tx, 'signal.opened', opened)
  if (isChanged || opened.length > 0) await announceSignals(tx)
  return { opened: opened.length, closed: healed.length, open: findings.length }
}

/** Records signal events for webhooks, as their creators may read them. */
const recordSignalEvents = (
  tx: Tx,
  type: 'signal.opened' | 'signal.closed',
  signals: readonly Pick<OpenSignal, 'id'>[],
) =>
  recordWebhookEvents(
    tx,
    signals.map(({ id }) => ({ type, subject: `signal:${id}` })),
    async (reader, subjects) => {
      const ids = subjects.map((subject) => Number(subject.slice('signal:'.length)))
      const signals = reader.permissions.dashboard ? await readSignals(tx, reader, ids) : []
      return new Map(signals.map((signal) => [`signal:${signal.id}`, signal]))
    },
  )

const getCaps = createOncePer((_context: AppContext) => new PacedValue<ReachedCap[]>())

/** Returns the reached caps, recomputed as often as the budget allows: all leads of the cycle are read for it. */
const readCaps = (context: AppContext, now: Date): Promise<ReachedCap[]> =>
  getCaps(context).get(now, () => readReachedCaps(context.db, context.settings.AGENCY_TIMEZONE, now))

const getChances = createOncePer((_context: AppContext) => new PacedValue<TargetChance[]>())

/** Returns the chances of all campaigns, recomputed as often as the budget allows. */
const readTargets = (context: AppContext, now: Date): Promise<TargetChance[]> =>
  getChances(context).get(now, () => readTargetChances(context, now))

/** Adds names, ages and whether a signal is open; leaves archived campaigns out. */
async function nameTargets(
  db: DbOrTx,
  chances: readonly TargetChance[],
  open: readonly OpenSignal[],
): Promise<SignalFacts['targets']> {
  const campaigns = await db
    .select({ id: campaignsTable.id, name: campaignsTable.name, created_at: campaignsTable.created_at })
    .from(campaignsTable)
    .where(eq(campaignsTable.archived, false))
  const known = new Map(campaigns.map(({ id, ...campaign }) => [id, campaign]))
  const isOpen = new Set(open.flatMap((one) => (one.detected_kind === 'behind_target' ? [one.subject_id] : [])))
  return chances.flatMap((one) => {
    const campaign = known.get(one.campaign)
    return campaign ? [{ ...one, ...campaign, is_open: isOpen.has(String(one.campaign)) }] : []
  })
}
