import { IconCalendarTime, IconClipboardList } from '@tabler/icons-react'
import { adminsWithPages } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const activityUiPart: UiPart = {
  screens: [
    {
      path: '/campaigns-changelog',
      allow: adminsWithPages('changelog'),
      menu: { group: 'Campaigns', position: 20, flag: 'changelog', icon: IconClipboardList },
      load: () => import('../changelog/ui/screen.tsx'),
    },
    {
      path: '/activity-log',
      allow: adminsWithPages('activityLog'),
      menu: { group: 'Campaigns', position: 30, flag: 'activityLog', icon: IconCalendarTime },
      load: () => import('../log/ui/screen.tsx'),
    },
  ],
}
