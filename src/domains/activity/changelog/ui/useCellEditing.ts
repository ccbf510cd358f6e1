import { useRef, useState } from 'react'
import { confirmClose } from '#ui/feedback/confirm.tsx'
import type { EditedCell } from './CellEditor.tsx'

/** Tracks which note is being edited. Asks before another edit discards what was typed. */
export function useCellEditing() {
  const [editing, setEditing] = useState<EditedCell | null>(null)
  const typed = useRef(false)
  const edit = async (next: EditedCell) => {
    if (typed.current && !(await confirmClose())) return
    setEditing(next)
  }
  return { editing, typed, edit, close: () => setEditing(null) }
}
