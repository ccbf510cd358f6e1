import type { AccessSubject } from '#contract/allow.ts'
import { type MenuEntry, mayOpenEntry, menuEntries } from './menu.ts'

/** Returns where a person starts: Home (clients have their own) or, without access to it, the first screen of their menu, if any. */
export const findFirstScreen = (me: AccessSubject): MenuEntry =>
  menuEntries.find((entry) => mayOpenEntry(me, entry)) ?? menuEntries[0]! // Home
