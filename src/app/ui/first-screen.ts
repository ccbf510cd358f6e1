import type { AccessSubject } from '#contract/allow.ts'
import { menuGroups } from './menu.tsx'
import { appScreens } from './screens.ts'

/** Returns where a person starts: Home (clients have their own) or, without access to it, the first screen of their menu, if any. */
export function findFirstScreen({ permissions, isCustomer }: AccessSubject & { isCustomer: boolean }): string {
  if (permissions.dashboard || isCustomer) return '/'
  const first = menuGroups
    .flatMap(({ entries }) => entries)
    .find(({ flag, path }) => permissions[flag] && appScreens.some((screen) => screen.path === path))
  return first?.path ?? '/'
}
