import { lazyComponent } from '#ui/data/lazy-part.ts'

export { ApiKeys } from '../keys/ui/ApiKeys.tsx'
export { NewApiKey } from '../keys/ui/NewApiKey.tsx'

export { useViewColumns } from '../views/ui/chosen-view.ts'
export { SavedViews } from '../views/ui/SavedViews.tsx'
export { describeViewedList, type ViewedList } from '../views/ui/view-address.ts'
export { useCurrentUser } from './current-user.ts'
export { useColleagueChoices } from './useColleagueChoices.ts'

/** Lazy: screens that only need to know who is signed in do not load it. */
export const SeeAsButton = lazyComponent(async () => ({
  default: (await import('../see-as/ui/SeeAsButton.tsx')).SeeAsButton,
}))
