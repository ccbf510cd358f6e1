import { Suspense, useEffect, useState } from 'react'
import { part } from '../data/lazy-part.ts'
import { isTaken, openDialog } from './shortcuts.ts'

// Most visits never ask.
const ShortcutsDialog = part(() => import('./ShortcutsDialog.tsx'))

/** `?` lists what keys do here, on every page for signed-in people. */
export function ShortcutKey() {
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '?' || isTaken(event) || openDialog()) return
      event.preventDefault()
      setOpened(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    opened && (
      <Suspense>
        <ShortcutsDialog onClose={() => setOpened(false)} />
      </Suspense>
    )
  )
}
