import { useBlocker } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import { isStartingAgain } from '../data/page-unload.ts'
import { confirmAction, confirmClose } from '../feedback/confirm.tsx'

type UnsavedGuard = {
  isUnsaved: () => boolean
  /** Returns whether to go on, after asking if something would be lost. */
  leave: () => Promise<boolean>
  disabled?: boolean
}

/** Guards what is entered against Back and links. A screen may still rewrite its own address; on a reload the browser asks. */
export function useUnsavedGuard({ isUnsaved, leave, disabled = false }: UnsavedGuard): void {
  useBlocker({
    disabled,
    shouldBlockFn: async ({ action, current, next }) =>
      (action !== 'REPLACE' || next.pathname !== current.pathname) && !(await leave()),
    enableBeforeUnload: () => isUnsaved() && !isStartingAgain(),
  })
}

type UnsavedDialog = { isUnsaved: () => boolean; opened?: boolean; onClose: () => void }

/** Guards what is entered in a dialog, which Back and links end as well. Returns the function that closes it, after asking. */
export function useUnsavedDialog({ isUnsaved, opened = true, onClose }: UnsavedDialog): () => void {
  async function leave() {
    const isClosed = !isUnsaved() || (await confirmClose())
    if (isClosed) onClose()
    return isClosed
  }
  useUnsavedGuard({ isUnsaved, leave, disabled: !opened })
  return () => void leave()
}

/** Counts what a part of a dialog holds that would be lost. */
export function useUnsavedCount(count: RefObject<number>, isUnsaved: boolean) {
  useEffect(() => {
    if (!isUnsaved) return
    count.current += 1
    return () => {
      count.current -= 1
    }
  }, [count, isUnsaved])
}

/** Guards what is entered on a page, outside dialogs. */
export function useUnsavedPage(isUnsaved: () => boolean): void {
  useUnsavedGuard({
    isUnsaved,
    leave: async () =>
      !isUnsaved() || confirmAction('Leave this page? Your changes are not saved.', { label: 'Leave' }),
  })
}
