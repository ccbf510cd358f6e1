import { staffOnly } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const webhooksUiPart: UiPart = {
  screens: [
    {
      path: '/integrations',
      allow: staffOnly,
      find: ['API & Webhooks', 'Integrations'],
      load: () => import('./screen.tsx'),
    },
  ],
}
