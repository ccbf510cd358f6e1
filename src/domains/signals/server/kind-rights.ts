import type { CurrentUser } from '#domains/access/public.ts'
import { canManageBilling } from '#domains/campaigns/terms/contract.ts'
import { canReadForecasts } from '#domains/insights/contract.ts'
import type { SignalKind } from '../labels.ts'

/** Returns the kinds that this user may not read: those about targets and about money need the right to it. */
export const listHiddenKinds = (me: CurrentUser): SignalKind[] => [
  ...(canReadForecasts(me) ? [] : (['behind_target'] as const)),
  ...(canManageBilling(me) ? [] : (['cap_reached', 'statement_refused'] as const)),
]
