import { type RefObject, useEffect, useRef } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { seekRecording } from '#ui/layout/Player.tsx'
import { findOpenDialog, isKeyTaken, isTypingTarget, type ShortcutList, useShortcuts } from '#ui/layout/shortcuts.ts'
import { findShortcut, type RowShortcut, rowSteps } from '#ui/table/table-keys.ts'

type PaneKeyOptions = {
  isOpen: boolean
  lead: Lead | undefined
  shortcuts: readonly RowShortcut<Lead>[]
  move?: (step: 1 | -1) => void
  close?: () => void
}

const seekSeconds = 10
const seekShortcut = { key: '← →', label: 'Ten seconds back or forward in the recording' }
/** The keys of a lead on its own page, and of one beside a list. */
const pageShortcutList: ShortcutList = { title: 'Open lead', shortcuts: [seekShortcut] }
const paneShortcutList: ShortcutList = {
  title: 'Open lead',
  shortcuts: [{ key: '↑ ↓', label: 'Previous or next lead' }, seekShortcut, { key: 'Esc', label: 'Close it' }],
}

/** Handles the keys of the open lead, with the focus on the list, in the pane, or nowhere. */
export function usePaneKeys(place: RefObject<HTMLElement | null>, options: PaneKeyOptions) {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { isOpen } = options
  useShortcuts(isOpen ? (options.move ? paneShortcutList : pageShortcutList) : null)
  useEffect(() => {
    if (!isOpen) return
    const press = (event: KeyboardEvent) => {
      const pane = place.current?.querySelector<HTMLElement>('aside')
      if (!pane || !isOurs(event, place.current) || isKeyTaken(event)) return
      if (!runKey(event, pane, latest.current)) return
      event.preventDefault()
      event.stopPropagation()
    }
    // Escape comes last: lists, text fields and cells handle it themselves.
    const leave = (event: KeyboardEvent) => {
      const pane = place.current?.querySelector<HTMLElement>('aside')
      if (event.key !== 'Escape' || event.defaultPrevented || !pane || !isOurs(event, place.current)) return
      if (findOpenDialog()) return
      const target = event.target as Element // checked by isOurs
      if (target.closest('tr[data-index]') && !target.matches('tr')) return
      if (isTypingTarget(target)) pane.focus()
      else latest.current.close?.()
    }
    document.addEventListener('keydown', press, true)
    document.addEventListener('keydown', leave)
    return () => {
      document.removeEventListener('keydown', press, true)
      document.removeEventListener('keydown', leave)
    }
  }, [isOpen, place])
}

const floatingSelector = '[popover], [role=menu], [role=listbox]'

function isOurs({ target }: KeyboardEvent, place: HTMLElement | null): boolean {
  if (!(target instanceof Element) || target.closest(floatingSelector)) return false
  return target === document.body || place?.contains(target) === true
}

/** Runs the key's action. Returns whether there was one. */
function runKey(event: KeyboardEvent, pane: HTMLElement, { lead, shortcuts, move }: PaneKeyOptions): boolean {
  const { key, shiftKey } = event
  if (move && (key === 'ArrowDown' || key === 'ArrowUp')) move(key === 'ArrowDown' ? 1 : -1)
  else if ((key === 'ArrowLeft' || key === 'ArrowRight') && !shiftKey)
    seekRecording(pane, key === 'ArrowRight' ? seekSeconds : -seekSeconds)
  else {
    const shortcut = findShortcut(shortcuts, event)
    if (!shortcut || !lead) return false
    const step = rowSteps[shortcut.run(lead, pane)]
    if (step !== 0) move?.(step)
  }
  return true
}
