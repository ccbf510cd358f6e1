import { lazyComponent } from '#ui/data/lazy-part.ts'

export { useViewColumns } from '../views/ui/chosen-view.ts'
export { readLastView } from '../views/ui/last-view.ts'
export { SavedViews } from '../views/ui/SavedViews.tsx'
export { describeViewedList, type ViewedList } from '../views/ui/view-address.ts'
export type { ViewPreset } from '../views/ui/view-tabs.ts'
export { useCurrentUser } from './current-user.ts'
export { useColleagueChoices } from './useColleagueChoices.ts'

/** Lazy, so that screens that only need the current user do not load them. */
export const ApiKeys = lazyComponent(async () => ({ default: (await import('../keys/ui/ApiKeys.tsx')).ApiKeys }))
export const NewApiKey = lazyComponent(async () => ({ default: (await import('../keys/ui/NewApiKey.tsx')).NewApiKey }))
export const SeeAsButton = lazyComponent(async () => ({
  default: (await import('../see-as/ui/SeeAsButton.tsx')).SeeAsButton,
}))
