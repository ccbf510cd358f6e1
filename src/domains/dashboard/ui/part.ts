import { IconHome } from '@tabler/icons-react'
import { signedIn } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const dashboardUiPart: UiPart = {
  screens: [
    {
      path: '/',
      allow: signedIn,
      menu: { group: '', position: 10, flag: 'dashboard', icon: IconHome },
      load: () => import('./screen.tsx'),
    },
  ],
}
