import { createElement } from 'react'
import { signedIn } from '#contract/allow.ts'
import type { LoadScreen, ScreenDeclaration } from '#domains/ui-part.ts'
import { loadPart } from '#ui/data/lazy-part.ts'
import { declaredScreens } from './parts.ts'

/** Screens that also show what belongs to domains above their own: the app adds it. */
const composedScreens: Readonly<Record<string, LoadScreen>> = {
  '/clients': () => import('./clients-screen.tsx'),
  '/campaigns-changelog': () => import('./changelog-screen.tsx'),
}

/** Every screen that needs a signed-in user. The guide has a page for each. */
export const appScreens: readonly ScreenDeclaration[] = [
  ...declaredScreens.map((screen) => ({ ...screen, load: composedScreens[screen.path] ?? screen.load })),
  {
    path: '/user-guide',
    find: ['User Guide', 'Help'],
    allow: signedIn,
    load: async () => {
      const { UserGuide } = await loadPart(() => import('../guide/UserGuide.tsx'))
      return { default: () => createElement(UserGuide, { screens: appScreens }) }
    },
  },
]
