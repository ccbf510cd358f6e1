import { IconTags, IconTarget } from '@tabler/icons-react'
import { adminsWithPages, mayUsePages } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const campaignsUiPart: UiPart = {
  screens: [
    {
      path: '/campaigns',
      allow: adminsWithPages('campaigns'),
      menu: { group: 'Campaigns', position: 10, flag: 'campaigns', icon: IconTarget },
      load: () => import('./screen.tsx'),
    },
    {
      path: '/campaign-categories',
      allow: mayUsePages('campaignCategories'),
      menu: { group: 'Campaigns', position: 40, flag: 'campaignCategories', icon: IconTags },
      load: () => import('../categories/ui/screen.tsx'),
    },
  ],
  find: () => import('./find.ts'),
  explainedRows: [{ kind: 'campaign', call: 'PUT campaign/{id}' }],
}
