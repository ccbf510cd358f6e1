import { createElement } from 'react'
import { signedIn } from '#contract/allow.ts'
import type { ScreenDeclaration } from '#domains/ui-part.ts'
import { loadPart } from '#ui/data/lazy-part.ts'
import { declaredScreens } from './parts.ts'

/** Every screen that needs a signed-in user. The guide has a page for each. */
export const appScreens: readonly ScreenDeclaration[] = [
  ...declaredScreens,
  {
    path: '/user-guide',
    allow: signedIn,
    load: async () => {
      const { UserGuide } = await loadPart(() => import('../guide/UserGuide.tsx'))
      return { default: () => createElement(UserGuide, { screens: appScreens }) }
    },
  },
]
