import { superAdminOnly } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const auditUiPart: UiPart = {
  screens: [
    { path: '/admin/audit', find: ['Audit Trail'], allow: superAdminOnly, load: () => import('./screen.tsx') },
    {
      path: '/admin/erasures',
      find: ['Erase a Person'],
      allow: superAdminOnly,
      load: () => import('../erasures/ui/screen.tsx'),
    },
  ],
}
