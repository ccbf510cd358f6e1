import { superAdminOnly } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const importsUiPart: UiPart = {
  screens: [{ path: '/import', allow: superAdminOnly, find: ['Import'], load: () => import('./screen.tsx') }],
}
