import { Suspense, useEffect, useState } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { useHeldKeys } from './held-keys.ts'
import { findOpenDialog, isKeyTaken } from './shortcuts.ts'

// Lazy: most visits never open it.
const ShortcutsDialog = lazyComponent(() => import('./ShortcutsDialog.tsx'))

/** Shows the keyboard shortcuts on `?`, on every page for signed-in users. */
export function ShortcutHelp() {
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  useHeldKeys(opened, close)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '?' || isKeyTaken(event) || findOpenDialog()) return
      event.preventDefault()
      setOpened(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    opened && (
      <Suspense>
        <ShortcutsDialog onClose={close} />
      </Suspense>
    )
  )
}
