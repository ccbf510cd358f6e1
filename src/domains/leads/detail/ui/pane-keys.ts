import { useEffect } from 'react'
import { seekRecording } from '#ui/layout/Player.tsx'
import { findOpenDialog, isKeyTaken, isTypingTarget, type ShortcutList, useShortcuts } from '#ui/layout/shortcuts.ts'
import { findShortcut, rowSteps } from '#ui/table/table-keys.ts'
import type { LeadDesk } from './desk-store.ts'

const seekSeconds = 10
const seekShortcut = { key: '← →', label: 'Ten seconds back or forward in the recording' }
/** The keys of a lead on its own page, and of one beside a list. */
const pageShortcutList: ShortcutList = { title: 'Open lead', shortcuts: [seekShortcut] }
const paneShortcutList: ShortcutList = {
  title: 'Open lead',
  shortcuts: [
    { key: '↑ ↓', label: 'Previous or next lead' },
    { key: 'Enter', label: 'Go into the open lead' },
    seekShortcut,
    { key: 'Esc', label: 'Close' },
  ],
}

/** Handles the keys of the open lead, with the focus on the list, in the pane, or nowhere. */
export function usePaneKeys(desk: LeadDesk, isOpen: boolean, isPage = false) {
  useShortcuts(isOpen ? (isPage ? pageShortcutList : paneShortcutList) : null)
  useEffect(() => {
    if (!isOpen) return
    const press = (event: KeyboardEvent) => {
      if (!isOurs(event, desk) || isKeyTaken(event) || !runKey(event, desk)) return
      event.preventDefault()
      event.stopPropagation()
    }
    // Escape comes last: lists, text fields and cells handle it themselves.
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !isOurs(event, desk) || findOpenDialog()) return
      const target = event.target as Element // checked by isOurs
      if (target.closest('tr[data-index]') && !target.matches('tr')) return
      if (isTypingTarget(target)) desk.get().pane?.focus()
      else desk.get().select(null)
    }
    document.addEventListener('keydown', press, true)
    document.addEventListener('keydown', leave)
    return () => {
      document.removeEventListener('keydown', press, true)
      document.removeEventListener('keydown', leave)
    }
  }, [isOpen, desk])
}

const floatingSelector = '[popover], [role=menu], [role=listbox]'

function isOurs({ target }: KeyboardEvent, desk: LeadDesk): boolean {
  const { desk: place, pane } = desk.get()
  if (!pane || !(target instanceof Element) || target.closest(floatingSelector)) return false
  return target === document.body || place?.contains(target) === true
}

/** Runs the key's action. Returns whether there was one. */
function runKey(event: KeyboardEvent, desk: LeadDesk): boolean {
  const { key, shiftKey } = event
  const { list, lead, shortcuts, pane } = desk.get()
  if (!pane) return false
  if (list && (key === 'ArrowDown' || key === 'ArrowUp')) desk.move(key === 'ArrowDown' ? 1 : -1)
  else if ((key === 'ArrowLeft' || key === 'ArrowRight') && !shiftKey)
    seekRecording(pane, key === 'ArrowRight' ? seekSeconds : -seekSeconds)
  else {
    const shortcut = findShortcut(shortcuts, event)
    if (!shortcut || !lead) return false
    const step = rowSteps[shortcut.run(lead, pane)]
    if (step !== 0 && list) desk.move(step)
  }
  return true
}
