import { useEffect } from 'react'
import { findOpenDialog, isKeyTaken, type ShortcutList, useShortcuts } from '#ui/layout/shortcuts.ts'

const triageShortcuts: ShortcutList = {
  title: 'Signals on Home',
  shortcuts: [
    { key: 'j', label: 'Next signal' },
    { key: 'k', label: 'Previous signal' },
    { key: 't', label: 'I’ll take it' },
    { key: 'c', label: 'Check now' },
    { key: 's', label: 'Snooze' },
  ],
}

/** Moves from row to row with j and k; t, c and s press the buttons of the chosen signal. */
export function useTriageKeys(area: { current: HTMLElement | null }) {
  useShortcuts(triageShortcuts)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const place = area.current
      if (!place || isKeyTaken(event) || findOpenDialog() || isInMenu(event.target)) return
      const key = event.key.toLowerCase()
      if (key === 'j' || key === 'k') moveRow(place, key === 'j' ? 1 : -1)
      else if (event.repeat || !/^[tcs]$/.test(key)) return
      else place.querySelector<HTMLElement>(`[data-key="${key}"] button`)?.click()
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [area])
}

const isInMenu = (target: EventTarget | null) => target instanceof Element && target.closest('[role=menu]') !== null

/** Goes to the next row, which chooses its signal; a folded row takes the focus and is opened with Enter. */
function moveRow(place: HTMLElement, step: 1 | -1) {
  const rows = [...place.querySelectorAll<HTMLElement>('[data-row]')]
  const focused = rows.indexOf(document.activeElement as HTMLElement) // one of them, or -1
  const chosen = rows.findIndex((row) => row.ariaCurrent === 'true')
  const row = rows[focused >= 0 ? focused + step : chosen + step]
  if (!row) return
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
  if (row instanceof HTMLAnchorElement) row.click()
}
