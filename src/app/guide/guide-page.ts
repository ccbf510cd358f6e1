import type { Allow } from '#contract/allow.ts'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { guideKey } from '../layout/guide-address.ts'
import { menu } from '../ui/menu.tsx'
import { screens } from '../ui/screens.ts'

/** Whom something is told; a call's own `allow` is one. */
export type Listener = (me: CurrentUser) => boolean

/** Short paragraphs, and lists of them. **Words** of the screen are bold, `Keys` are keys. */
export type Section = { title?: string; to?: Listener; says: readonly (string | readonly string[])[] }

/** Dots of a picture for each pixel of the page. */
export const density = 1.25
/** `name` is the file's, of which there is one for each theme; `alt` says what it shows. */
export type Picture = { name: string; alt: string }
export type Telling = { to: Listener; picture?: Picture; sections: readonly Section[] }

/** A page of the guide. Of its tellings each person has the first that is for them. */
export type GuidePage = {
  /** In the address. */
  key: string
  title: string
  allow: Allow
  /** The screen that it is about, where there is one. */
  screen?: string
  tellings: readonly Telling[]
}

/** Admins and super admins. */
export const staff: Listener = (me) => me.isAdmin
export const client: Listener = (me) => me.isCustomer
/** Leads handlers and clients. */
export const others: Listener = (me) => !me.isAdmin
export const everybody: Listener = () => true

/** One telling for whoever may open the page. */
export const told = (picture: Picture | null, ...sections: Section[]): Telling => ({
  to: everybody,
  ...(picture && { picture }),
  sections,
})

/** The page about a screen: who may open the one may read the other, and both have the menu's name. */
export function aboutScreen(screen: string, tellings: readonly Telling[], title = menuLabel(screen)): GuidePage {
  const declared = screens.find(({ path }) => path === screen)
  if (!declared) throw new Error(`There is no screen ${screen}`)
  return { key: guideKey(screen), title, allow: declared.allow, screen, tellings }
}

const menuLabel = (screen: string) =>
  menu.flatMap(({ entries }) => entries).find(({ path }) => path === screen)?.label ?? screen
