import { createContext, use } from 'react'
import type { AccessSubject } from '#contract/allow.ts'

/** A user's layout of a table: column keys in order, and widths in pixels. */
export type SavedTableLayout = { order: string[]; widths: Record<string, number> }

/** The signed-in user and their saved preferences, as far as src/ui needs them. The app provides it at the root. */
export type PersonSettings = {
  /** Null for a guest. */
  id: number | null
  /** Null for a guest. */
  subject: AccessSubject | null
  /** Where they start. */
  firstScreen: { path: string; label: string }
  /** Whether they are seen by someone else, who may change nothing. */
  isView: boolean
  tableLayouts: Readonly<Record<string, SavedTableLayout>>
  saveTableLayout: (table: string, layout: SavedTableLayout) => void
  /** As the user chose them, or as the view starts. */
  hiddenColumns: (view: string) => readonly string[]
  saveHiddenColumns: (view: string, keys: readonly string[]) => void
}

export const guestPerson: PersonSettings = {
  id: null,
  subject: null,
  firstScreen: { path: '/', label: 'Home' },
  isView: false,
  tableLayouts: {},
  saveTableLayout: () => {},
  hiddenColumns: () => [],
  saveHiddenColumns: () => {},
}

export const PersonContext = createContext(guestPerson)
export const usePerson = (): PersonSettings => use(PersonContext)
