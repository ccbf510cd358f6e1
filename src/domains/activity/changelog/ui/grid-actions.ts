import type { ChangelogLine } from '../contract.ts'
import type { EditedCell } from './CellEditor.tsx'
import type { GridPosition } from './grid-navigation.ts'

/** The actions of a cell. */
export type GridActions = {
  edit: (editing: EditedCell) => void | Promise<void>
  editNote: (line: ChangelogLine) => void
  /** Shows every entry of a row. */
  expand: (key: string) => void
  activate: (place: GridPosition) => void
}
