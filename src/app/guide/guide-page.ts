import type { AccessRule } from '#contract/allow.ts'

/** Pixels of a picture per pixel of the page. */
export const pictureDensity = 1.25

/** Plain text, a name that the screen shows, or a key on the keyboard. */
export type GuideInline = string | { bold: string } | { key: string }

export type GuideBlock =
  | { type: 'heading'; text: string }
  | { type: 'paragraph'; text: GuideInline[] }
  | { type: 'list'; items: GuideInline[][] }
  /** What to do, in this order. */
  | { type: 'steps'; items: GuideInline[][] }
  /** `name` is the file name without the theme (there is a file for each); `alt` says what it shows. */
  | { type: 'picture'; name: string; alt: string }

/** `for` names audiences (audiences.ts); a block without it is for everyone who may open the page. */
export type AudienceBlock = GuideBlock & { for?: string[] }
export type ParsedBlock = AudienceBlock | { type: 'include'; page: string; for?: string[] }

/** A markdown file of pages/, as the build passes it to the browser. */
export type ParsedPage = {
  title?: string
  screen?: string
  for?: string
  /** Its group; without one, it is part of other pages. */
  section?: string
  /** Pages with lower numbers come first in their section. */
  position?: string
  blocks: ParsedBlock[]
}

export type GuidePage = {
  /** Its name in the address. */
  key: string
  title: string
  allow: AccessRule
  /** The screen that the page is about, if any. */
  screen?: string
  blocks: readonly AudienceBlock[]
}
