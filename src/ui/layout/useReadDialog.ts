import { useRef, useState } from 'react'
import { toastError } from '../feedback/toast.tsx'
import { useDialog } from './useDialog.ts'

/**
 * Keeps a dialog whose subject is read again at each opening: what is being typed in it is never replaced by a later reading. Of two
 * requests the last one opens; a failure is shown as a toast.
 */
export function useReadDialog<Subject>() {
  const { open, ...dialog } = useDialog<Subject>()
  const [isReading, setReading] = useState(false)
  const last = useRef(0)
  async function read(load: () => Promise<Subject>) {
    last.current += 1
    const turn = last.current
    setReading(true)
    try {
      const subject = await load()
      if (turn === last.current) open(subject)
    } catch (problem) {
      toastError(problem)
    } finally {
      if (turn === last.current) setReading(false)
    }
  }
  return { ...dialog, read, isReading }
}
