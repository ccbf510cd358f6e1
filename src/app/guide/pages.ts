import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { accessPages } from './access.ts'
import { campaignPages } from './campaigns.ts'
import { countingPages } from './counting.ts'
import { startPages } from './everywhere.ts'
import type { GuidePage } from './guide-page.ts'
import { leadSourcePages } from './lead-sources.ts'
import { leadPages } from './leads.ts'
import { listingPages } from './listings.ts'
import { ratingPages } from './rating.ts'
import { resolveGuidePage, type VisibleGuidePage } from './search.ts'
import { sitePages } from './sites.ts'

/** The whole guide, in the order in which it is read: that of the menu. */
export const guideGroups: readonly { title: string; pages: readonly GuidePage[] }[] = [
  { title: 'First things', pages: startPages },
  { title: 'Leads', pages: [...leadPages, ...leadSourcePages, ...ratingPages, ...countingPages] },
  { title: 'Campaigns', pages: campaignPages },
  { title: 'Listings', pages: listingPages },
  { title: 'Clients and sites', pages: sitePages },
  { title: 'Access', pages: accessPages },
]

export type VisibleGuideGroup = { title: string; pages: readonly VisibleGuidePage[] }

/** What of it this person may read. */
export function getVisibleGuide(me: CurrentUserDto): VisibleGuideGroup[] {
  return guideGroups
    .map(({ title, pages }) => ({ title, pages: pages.flatMap((page) => resolveGuidePage(me, page) ?? []) }))
    .filter(({ pages }) => pages.length > 0)
}
