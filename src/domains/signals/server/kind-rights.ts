import type { AccessRule } from '#contract/allow.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { canManageBilling } from '#domains/campaigns/terms/contract.ts'
import { canReadForecasts } from '#domains/insights/contract.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { type SignalKind, signalKinds } from '../labels.ts'

/** The kinds of signals whose words not everyone with the campaign may read elsewhere: targets, money, notes, clients and their addresses. */
export const kindRules: Partial<Record<SignalKind, AccessRule>> = {
  behind_target: canReadForecasts,
  cap_reached: canManageBilling,
  statement_refused: canManageBilling,
  report_refused: clientReportsContract.list.allow,
  mail_refused: leadHistoryContract.read.allow,
  task_overdue: activityItemsContract.update.allow,
}

/** Returns the kinds that this user may not read. */
export const listHiddenKinds = (me: CurrentUser): SignalKind[] =>
  signalKinds.filter((kind) => kindRules[kind]?.(me) === false)
