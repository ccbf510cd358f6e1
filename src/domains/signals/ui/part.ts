import { mayUsePages } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'

export const signalsUiPart: UiPart = {
  profileSections: [
    {
      title: 'Notifications',
      position: 50,
      allow: mayUsePages('dashboard'),
      Section: lazyComponent(() => import('../watches/ui/notifications-part.tsx')),
    },
  ],
}
