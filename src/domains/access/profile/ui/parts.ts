import type { ComponentType } from 'react'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import type { ProfilePartProps } from './part-props.ts'

type ProfilePart = { title: string; Part: ComponentType<ProfilePartProps> }

/** The parts of the profile page, in their order. A part renders null for users it does not apply to. */
export const profileParts: readonly ProfilePart[] = [
  { title: 'Password', Part: lazyComponent(() => import('./PasswordPart.tsx')) },
  { title: 'Second factor', Part: lazyComponent(() => import('../../second-factor/ui/second-factor-part.tsx')) },
  { title: 'Passkeys', Part: lazyComponent(() => import('../../second-factor/ui/passkeys-part.tsx')) },
  { title: 'Sessions', Part: lazyComponent(() => import('./SessionsPart.tsx')) },
  {
    title: 'Notifications',
    Part: lazyComponent(async () => ({
      default: (await import('#domains/signals/watches/ui/public.ts')).NotificationsPart,
    })),
  },
  { title: 'Time format', Part: lazyComponent(() => import('./TimeFormatPart.tsx')) },
]
