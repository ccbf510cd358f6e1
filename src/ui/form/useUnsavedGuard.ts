import { useBlocker } from '@tanstack/react-router'
import { isStartingAgain } from '../data/page-unload.ts'
import { confirmAction } from '../feedback/confirm.tsx'

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

/** Guards what is entered on a page, outside dialogs. */
export function useUnsavedPage(isUnsaved: () => boolean): void {
  useUnsavedGuard({
    isUnsaved,
    leave: async () =>
      !isUnsaved() || confirmAction('Leave this page? Your changes are not saved.', { label: 'Leave' }),
  })
}
