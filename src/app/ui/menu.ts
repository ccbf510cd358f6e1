import type { AccessSubject, PermissionFlag } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import { type MenuIcon, menuGroupTitles } from '#domains/ui-part.ts'
import { declaredScreens } from './parts.ts'

export type MenuEntry = { flag: PermissionFlag; path: string; label: string; icon: MenuIcon }

/** The side menu. An entry shows when its flag on the user is true. */
export const menuGroups: readonly { title: string; entries: readonly MenuEntry[] }[] = menuGroupTitles.map((title) => ({
  title,
  entries: declaredScreens
    .flatMap(({ path, menu }) => (menu?.group === title ? { path, label: pageTitles[menu.flag], ...menu } : []))
    .toSorted((a, b) => a.position - b.position),
}))

export const menuEntries = menuGroups.flatMap(({ entries }) => entries)

/** Whether a person's menu has the entry. Clients may not open the agency's Home, but have their own at the same address. */
export const mayOpenEntry = (me: AccessSubject, { flag, path }: MenuEntry): boolean =>
  me.permissions[flag] || (me.isCustomer && path === '/')
