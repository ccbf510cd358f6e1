import { adminsWithPages, signedIn } from '#contract/allow.ts'
import { recordPaths } from '#contract/record-paths.ts'
import type { UiPart } from '#domains/ui-part.ts'
import { loadPart } from '#ui/data/lazy-part.ts'

export const recordsUiPart: UiPart = {
  screens: [
    {
      path: recordPaths.campaign,
      allow: signedIn,
      hidden: true,
      load: () => import('./campaign-screen.tsx'),
    },
    {
      path: recordPaths.client,
      allow: adminsWithPages('clients'),
      hidden: true,
      load: () => import('./client-screen.tsx'),
    },
    {
      path: recordPaths.client_site,
      allow: adminsWithPages('clientSites'),
      hidden: true,
      load: () => import('./site-screens.tsx'),
    },
    {
      path: recordPaths.network_site,
      allow: adminsWithPages('networkSites'),
      hidden: true,
      load: () =>
        loadPart(() => import('./site-screens.tsx')).then(({ NetworkSiteScreen }) => ({ default: NetworkSiteScreen })),
    },
    {
      path: recordPaths.listing,
      allow: adminsWithPages('campaignGmbs'),
      hidden: true,
      load: () => import('./listing-screen.tsx'),
    },
  ],
}
