import { superAdminOnly } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

const screen = { allow: superAdminOnly, load: () => import('./screen.tsx') }

export const movesUiPart: UiPart = {
  screens: [
    { ...screen, path: '/moves', find: ['Moving in'] },
    { ...screen, path: '/moves/$id', hidden: true },
  ],
}
