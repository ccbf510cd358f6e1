import type { UiPart } from '#domains/ui-part.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'

export const signalsUiPart: UiPart = {
  profileSections: [
    {
      title: 'Notifications',
      position: 50,
      Section: lazyComponent(() => import('../watches/ui/notifications-part.tsx')),
    },
  ],
}
