import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { toastError } from '../feedback/toast.tsx'
import { restoreFocus } from './restore-focus.ts'
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
    const before = document.activeElement
    const end = () => {
      flushSync(() => setReading(false))
      restoreFocus(before)
    }
    setReading(true)
    try {
      const subject = await load()
      if (turn !== last.current) return
      end() // first: the dialog will return the focus to where it is now, and a button loses it while it is disabled
      open(subject)
    } catch (problem) {
      toastError(problem)
      if (turn === last.current) end()
    }
  }
  return { ...dialog, read, isReading }
}
