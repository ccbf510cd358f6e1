import { IconBrandGoogle, IconBuildingStore, IconMap2 } from '@tabler/icons-react'
import { adminsWithPages } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const listingsUiPart: UiPart = {
  screens: [
    {
      path: '/campaign-gmbs/map',
      allow: adminsWithPages('campaignMap'),
      menu: { group: 'Campaigns', position: 50, flag: 'campaignMap', icon: IconMap2 },
      load: () => import('../map/ui/screen.tsx'),
    },
    {
      path: '/campaign-gmbs',
      allow: adminsWithPages('campaignGmbs'),
      menu: { group: 'Campaigns', position: 60, flag: 'campaignGmbs', icon: IconBuildingStore },
      load: () => import('../gmbs/ui/screen.tsx'),
    },
    {
      path: '/gmb-manager',
      allow: adminsWithPages('googleLocations'),
      menu: { group: 'Campaigns', position: 70, flag: 'googleLocations', icon: IconBrandGoogle },
      load: () => import('../google/ui/screen.tsx'),
    },
  ],
  find: () => import('./find.ts'),
  explainedRows: [{ kind: 'listing', call: 'PUT campaign-gmb/{id}' }],
}
