import type { ComponentType, ReactNode } from 'react'
import type { AccessRule, PermissionFlag } from '#contract/allow.ts'
import type { RecordKind } from '#contract/record-paths.ts'
import type { FindSearch } from '#ui/data/find-search.ts'
import type { CurrentUserDto } from './access/sign-in/contract.ts'

export type LoadScreen = () => Promise<{ default: () => ReactNode }>

/** The groups of the menu, in order; the first has no title. */
export const menuGroupTitles = ['', 'Leads', 'Campaigns', 'Clients and sites', 'Access'] as const

export type MenuIcon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>

/** A screen, and how people come to it: by its entry in the menu, by Find, or by a link alone. */
export type ScreenDeclaration = { path: string; allow: AccessRule; load: LoadScreen } & (
  | { menu: ScreenMenuEntry; find?: undefined; hidden?: undefined }
  /** The words by which Find lists a screen that no menu has; the first is its label. */
  | { menu?: undefined; find: readonly [string, ...string[]]; hidden?: undefined }
  /** People who may not open it get "not found", as for a record that they may not see. */
  | { menu?: undefined; find?: undefined; hidden: true }
)

/** It shows to people with the flag; the label is the title of the flag unless it has its own. */
type ScreenMenuEntry = {
  group: (typeof menuGroupTitles)[number]
  /** Entries with lower numbers come first; leave gaps. */
  position: number
  flag: PermissionFlag
  icon: MenuIcon
  label?: string
}

/** A page for people who are not signed in: to sign in, or what a mailed link opens. */
export type GuestScreen = { path: string; layout: 'sign-in' | 'mailed-link'; load: LoadScreen }

/** A section of the profile page. */
export type ProfileSection = {
  title: string
  /** Without it, everyone has the section. */
  allow?: AccessRule
  /** Sections with lower numbers come first; leave gaps. */
  position: number
  Section: ComponentType<{ me: CurrentUserDto }>
}

/** A kind of row to ask about in “What do they see?”. */
export type ExplainedRow = {
  kind: RecordKind
  /** The call that changes it or, if there is none, reads it: `PUT lead/{id}`. */
  call: string
  /** The labels of its fields, if they depend on the person. */
  FieldLabels?: ComponentType<{ names: readonly string[] }>
}

/** What all parts declare, for the few screens that need all of a kind. */
export type DeclaredUiParts = {
  profileSections: readonly ProfileSection[]
  explainedRows: readonly ExplainedRow[]
}

/**
 * What the program needs to know of a domain in the browser. `app/ui/parts.ts` lists the parts; router, menu, guide and Find derive
 * from them. It is part of the first files of every page: it holds words, icons and dynamic imports, nothing else.
 */
export type UiPart = Partial<DeclaredUiParts> & {
  /** A function where a screen needs what all parts declare. */
  screens?: readonly ScreenDeclaration[] | ((declared: DeclaredUiParts) => readonly ScreenDeclaration[])
  guestScreens?: readonly GuestScreen[]
  /** The records that Find searches. */
  find?: () => Promise<{ findSearches: readonly FindSearch[] }>
}
