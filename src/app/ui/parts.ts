import { accessUiPart } from '#domains/access/ui/part.ts'
import { activityUiPart } from '#domains/activity/ui/part.ts'
import { auditUiPart } from '#domains/audit/ui/part.ts'
import { billingUiPart } from '#domains/billing/ui/part.ts'
import { campaignsUiPart } from '#domains/campaigns/ui/part.ts'
import { clientsUiPart } from '#domains/clients/ui/part.ts'
import { connectionsUiPart } from '#domains/connections/ui/part.ts'
import { dashboardUiPart } from '#domains/dashboard/ui/part.ts'
import { importsUiPart } from '#domains/imports/ui/part.ts'
import { leadsUiPart } from '#domains/leads/ui/part.ts'
import { listingsUiPart } from '#domains/listings/ui/part.ts'
import { movesUiPart } from '#domains/moves/ui/part.ts'
import { recordsUiPart } from '#domains/records/ui/part.ts'
import { reportsUiPart } from '#domains/reports/ui/part.ts'
import { signalsUiPart } from '#domains/signals/ui/part.ts'
import { sitesUiPart } from '#domains/sites/ui/part.ts'
import type { DeclaredUiParts, GuestScreen, ScreenDeclaration, UiPart } from '#domains/ui-part.ts'
import { webhooksUiPart } from '#domains/webhooks/ui/part.ts'
import type { FindSearch } from '#ui/data/find-search.ts'
import { loadPart } from '#ui/data/lazy-part.ts'

/** Every domain. */
const uiParts: readonly UiPart[] = [
  dashboardUiPart,
  leadsUiPart,
  reportsUiPart,
  campaignsUiPart,
  billingUiPart,
  clientsUiPart,
  sitesUiPart,
  activityUiPart,
  listingsUiPart,
  recordsUiPart,
  accessUiPart,
  auditUiPart,
  importsUiPart,
  connectionsUiPart,
  movesUiPart,
  webhooksUiPart,
  signalsUiPart,
]

const declaredUiParts: DeclaredUiParts = {
  profileSections: uiParts
    .flatMap(({ profileSections = [] }) => profileSections)
    .toSorted((a, b) => a.position - b.position),
  explainedRows: uiParts.flatMap(({ explainedRows = [] }) => explainedRows),
}

/** Every screen but the guide, which is about them. */
export const declaredScreens: readonly ScreenDeclaration[] = uiParts.flatMap(({ screens = [] }) =>
  typeof screens === 'function' ? screens(declaredUiParts) : screens,
)

/** Every page for people who are not signed in. */
export const guestScreens: readonly GuestScreen[] = uiParts.flatMap(({ guestScreens = [] }) => guestScreens)

/** Loads how Find searches each kind of record, in the order of the results. */
export async function loadFindSearches(): Promise<FindSearch[]> {
  const parts = await Promise.all(uiParts.flatMap(({ find }) => (find ? [loadPart(find)] : [])))
  return parts.flatMap(({ findSearches }) => findSearches).toSorted((a, b) => a.position - b.position)
}
