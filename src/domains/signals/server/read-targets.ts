import { eq } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { createOncePer } from '#core/once-per.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { readTargetChances, type TargetChance } from '#domains/insights/public.ts'
import type { SignalFacts } from './facts.ts'
import { PacedValue } from './paced-value.ts'
import type { OpenSignal } from './store.ts'

const getChances = createOncePer((_context: AppContext) => new PacedValue<TargetChance[]>())

/** Returns the chances of all campaigns, recomputed as often as the budget allows. */
export const readTargets = (context: AppContext, now: Date): Promise<TargetChance[]> =>
  getChances(context).get(now, () => readTargetChances(context, now))

/** Adds names and whether a signal is open; leaves archived campaigns out. */
export async function nameTargets(
  db: DbOrTx,
  chances: readonly TargetChance[],
  open: readonly OpenSignal[],
): Promise<SignalFacts['targets']> {
  const campaigns = await db
    .select({ id: campaignsTable.id, name: campaignsTable.name })
    .from(campaignsTable)
    .where(eq(campaignsTable.archived, false))
  const names = new Map(campaigns.map(({ id, name }) => [id, name]))
  const isOpen = new Set(open.flatMap((one) => (one.detected_kind === 'behind_target' ? [one.subject_id] : [])))
  return chances.flatMap((one) => {
    const name = names.get(one.campaign)
    return name === undefined ? [] : [{ ...one, name, is_open: isOpen.has(String(one.campaign)) }]
  })
}
