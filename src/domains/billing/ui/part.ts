import { adminsWithPages } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const billingUiPart: UiPart = {
  screens: [
    {
      path: '/statements',
      find: ['Statements', 'Billing'],
      allow: adminsWithPages('campaigns'),
      load: () => import('../statements/ui/screen.tsx'),
    },
    {
      path: '/disputes',
      find: ['Disputes'],
      allow: adminsWithPages('campaigns'),
      load: () => import('../disputes/ui/screen.tsx'),
    },
  ],
  guestScreens: [
    { path: '/statement/$key', layout: 'mailed-link', load: () => import('../statements/ui/guest-screen.tsx') },
  ],
}
