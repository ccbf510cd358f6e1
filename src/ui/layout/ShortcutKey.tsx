import { Suspense, useEffect, useState } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { useHeldKeys } from './held-keys.ts'
import { findOpenDialog, isKeyTaken } from './shortcuts.ts'

// Most visits never ask.
const ShortcutsDialog = lazyComponent(() => import('./ShortcutsDialog.tsx'))

/** `?` lists what keys do here, on every page for signed-in people. */
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
