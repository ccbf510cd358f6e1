import { createContext, use } from 'react'
import type { AccessSubject } from '#contract/allow.ts'
import type { TableName } from '#contract/tables.ts'

/** How a person has laid out a table: column keys in order, and widths in pixels. */
export type SavedTableLayout = { order: string[]; widths: Record<string, number> }

/** Who is signed in and what is kept for them, as far as the toolkit needs it. The app provides it at the root. */
export type Person = {
  /** Null for a guest. */
  subject: AccessSubject | null
  tableLayouts: Readonly<Record<string, SavedTableLayout>>
  saveTableLayout: (table: TableName, layout: SavedTableLayout) => void
  /** Undefined for a view whose columns they never chose. */
  hiddenColumns: (view: string) => readonly string[] | undefined
  saveHiddenColumns: (view: string, keys: readonly string[]) => void
}

const guestPerson: Person = {
  subject: null,
  tableLayouts: {},
  saveTableLayout: () => {},
  hiddenColumns: () => undefined,
  saveHiddenColumns: () => {},
}

export const PersonContext = createContext(guestPerson)
export const usePerson = (): Person => use(PersonContext)
