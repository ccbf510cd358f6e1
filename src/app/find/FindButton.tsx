import { IconSearch } from '@tabler/icons-react'
import { createElement, Suspense, useLayoutEffect, useState } from 'react'
import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useHeldKeys } from '#ui/layout/held-keys.ts'
import { findOpenDialog } from '#ui/layout/shortcuts.ts'
import { loadFindSearches } from '../ui/parts.ts'

// Most visits only use the menu.
const FindDialog = lazyComponent(async () => {
  const [{ FindDialog }, searches] = await Promise.all([loadPart(() => import('./FindDialog.tsx')), loadFindSearches()])
  return { default: ({ onClose }: { onClose: () => void }) => createElement(FindDialog, { searches, onClose }) }
})

/** Ctrl K, or the button for people who do not know it: goes to any screen, campaign, client, lead or site. */
export function FindButton() {
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  useHeldKeys(opened, close)
  // Not after painting: who sees the button may press the keys.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault() // the browser's own search bar
      if (!findOpenDialog()) setOpened(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <IconButton label="Find (Ctrl K)" icon={IconSearch} iconSize={18} onClick={() => setOpened(true)} />
      {opened && (
        <Suspense>
          <FindDialog onClose={close} />
        </Suspense>
      )}
    </>
  )
}
