import type { AccessRule } from '#contract/allow.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { getGuideKey } from '../layout/guide-address.ts'
import { menuGroups } from '../ui/menu.tsx'
import { appScreens } from '../ui/screens.ts'

/** Whom something is told; a call's own `allow` is one. */
export type AudiencePredicate = (me: CurrentUserDto) => boolean

/** Short paragraphs, and lists of them. **Words** of the screen are bold, `Keys` are keys. */
export type GuideSection = { title?: string; to?: AudiencePredicate; says: readonly (string | readonly string[])[] }

/** Dots of a picture for each pixel of the page. */
export const pictureDensity = 1.25
/** `name` is the file's, of which there is one for each theme; `alt` says what it shows. */
export type GuidePicture = { name: string; alt: string }
export type GuideVariant = { to: AudiencePredicate; picture?: GuidePicture; sections: readonly GuideSection[] }

/** A page of the guide. Of its tellings each person has the first that is for them. */
export type GuidePage = {
  /** In the address. */
  key: string
  title: string
  allow: AccessRule
  /** The screen that it is about, where there is one. */
  screen?: string
  tellings: readonly GuideVariant[]
}

/** Admins and super admins. */
export const isStaff: AudiencePredicate = (me) => me.isAdmin
export const isClientUser: AudiencePredicate = (me) => me.isCustomer
/** Leads handlers and clients. */
export const isNotStaff: AudiencePredicate = (me) => !me.isAdmin
export const isAnyone: AudiencePredicate = () => true

/** One telling for whoever may open the page. */
export const createVariant = (picture: GuidePicture | null, ...sections: GuideSection[]): GuideVariant => ({
  to: isAnyone,
  ...(picture && { picture }),
  sections,
})

/** The page about a screen: who may open the one may read the other, and both have the menu's name. */
export function createScreenPage(
  screen: string,
  tellings: readonly GuideVariant[],
  title = findMenuLabel(screen),
): GuidePage {
  const declared = appScreens.find(({ path }) => path === screen)
  if (!declared) throw new Error(`There is no screen ${screen}`)
  return { key: getGuideKey(screen), title, allow: declared.allow, screen, tellings }
}

const findMenuLabel = (screen: string) =>
  menuGroups.flatMap(({ entries }) => entries).find(({ path }) => path === screen)?.label ?? screen
