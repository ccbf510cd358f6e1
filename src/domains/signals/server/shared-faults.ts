import { and, inArray } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { signalsTable } from '../schema.ts'
import type { SignalEvidence } from './finding.ts'
import type { OpenSignal } from './store.ts'

type FaultySite = { host: string; since: string }

/** Describes the fault that several sites share. */
export function describeSharedFault(
  label: string,
  sites: readonly FaultySite[],
): { title: string; evidence: SignalEvidence } {
  const subject = `${countOf(sites.length, 'site')} on ${label}`
  const isOne = sites.length === 1
  return {
    title: `${subject} ${isOne ? 'is' : 'are'} offline`,
    evidence: {
      says: `${subject} ${isOne ? 'does' : 'do'} not answer.`,
      since: sites.map(({ since }) => since).toSorted()[0],
      sites: sites.length,
      hosts: sites.map(({ host }) => host).slice(0, 50),
    },
  }
}

type Fault = Pick<OpenSignal, 'id' | 'title' | 'subject_type' | 'subject_label' | 'evidence'>
type Child = Pick<OpenSignal, 'parent_id' | 'subject_label' | 'evidence' | 'opened_at'>

/** Returns the signals as a reader sees them who sees only some campaigns: a shared fault has just their sites. */
export function narrowSharedFaults<T extends Fault>(signals: readonly T[], visibleChildren: readonly Child[]): T[] {
  const byParent = Map.groupBy(visibleChildren, ({ parent_id }) => parent_id)
  return signals.map((signal) => {
    if (!isSharedFault(signal)) return signal
    const sites = (byParent.get(signal.id) ?? []).map(({ subject_label, evidence, opened_at }) => ({
      host: subject_label,
      since: String(evidence.since ?? opened_at.toISOString()),
    }))
    return { ...signal, ...describeSharedFault(signal.subject_label, sites) }
  })
}

/** Reads the children for `narrowSharedFaults`; of an open fault the open ones. */
export async function readVisibleChildren(
  db: DbOrTx,
  me: CurrentUser,
  signals: readonly (Fault & Pick<OpenSignal, 'closed_at'>)[],
): Promise<Child[]> {
  const faults = new Map(signals.filter(isSharedFault).map((signal) => [signal.id, signal]))
  if (faults.size === 0) return []
  const children = await db
    .select()
    .from(signalsTable)
    .where(and(inArray(signalsTable.parent_id, [...faults.keys()]), inVisibleCampaigns(me, signalsTable.campaign_id)))
    .orderBy(signalsTable.id)
  return children.filter(({ closed_at, parent_id }) => closed_at === null || faults.get(parent_id!)!.closed_at !== null)
}

/** Whether several sites share this fault: an address or a host that does not answer. */
export const isSharedFault = ({ subject_type }: Pick<Fault, 'subject_type'>) =>
  subject_type === 'ip' || subject_type === 'host'
