import { useLayoutEffect, useRef } from 'react'
import { isTypingTarget } from './shortcuts.ts'

/**
 * Holds back key presses from the moment a dialog is opened until it has the focus: it may still be loading, and the row
 * or the field behind it must not get them. Then its field gets the text. Escape calls `cancel`.
 */
export function useHeldKeys(opened: boolean, cancel: () => void) {
  const latest = useRef(cancel)
  useLayoutEffect(() => {
    latest.current = cancel
  })
  useLayoutEffect(() => (opened ? holdKeys(() => latest.current()) : undefined), [opened])
}

function holdKeys(cancel: () => void): () => void {
  const ended = new AbortController()
  const end = () => ended.abort()
  let typed = ''
  const press = (event: KeyboardEvent) => {
    event.stopImmediatePropagation()
    event.preventDefault()
    const { key, altKey, ctrlKey, metaKey } = event
    if (key === 'Escape') {
      end()
      cancel()
    } else if (altKey || ctrlKey || metaKey) return
    else if (key === 'Backspace') typed = typed.slice(0, -1)
    else if (key.length === 1) typed += key
  }
  const focused = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || !target.closest('[aria-modal="true"]')) return
    end()
    if (typed && isTypingTarget(target)) insertText(target, typed)
  }
  const options = { capture: true, signal: ended.signal }
  window.addEventListener('keydown', press, options)
  document.addEventListener('focusin', focused, options)
  // If the dialog never appears, a click gives the keyboard back.
  window.addEventListener('pointerdown', end, options)
  return end
}

/** Inserts text as if typed: the field fires its input event. */
function insertText(field: Element, text: string) {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  if (field.selectionStart === null) return // number and email inputs have no selection
  field.setRangeText(text, field.selectionStart, field.selectionEnd ?? field.selectionStart, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}
