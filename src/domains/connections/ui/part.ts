import { superAdminOnly } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const connectionsUiPart: UiPart = {
  screens: [{ path: '/connections', allow: superAdminOnly, find: ['Connections'], load: () => import('./screen.tsx') }],
}
