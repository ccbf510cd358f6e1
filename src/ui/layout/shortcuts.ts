import { useEffect } from 'react'
import { create } from 'zustand'

/** A key and its description in the list of shortcuts. */
export type KeyShortcut = { key: string; label: string }
/** The shortcuts of a screen, under a title. */
export type ShortcutList = { title: string; shortcuts: readonly KeyShortcut[] }

const useShortcutStore = create<{ lists: readonly ShortcutList[] }>(() => ({ lists: [] }))

/** Lists a screen's own shortcuts under `?` while it is open; null lists none. `list` needs a stable identity. */
export function useShortcuts(list: ShortcutList | null) {
  useEffect(() => {
    if (!list) return
    useShortcutStore.setState(({ lists }) => ({ lists: [...lists, list] }))
    return () => useShortcutStore.setState(({ lists }) => ({ lists: lists.filter((other) => other !== list) }))
  }, [list])
}

/** Returns the shortcuts of the open screens. */
export const useShortcutLists = () => useShortcutStore(({ lists }) => lists)

const typingSelector =
  'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=combobox]'
export const isTypingTarget = (target: Element) => target.matches(typingSelector)

type KeyPress = Pick<KeyboardEvent, 'defaultPrevented' | 'altKey' | 'ctrlKey' | 'metaKey' | 'target'>

/** Returns whether a key belongs to something else: a text input, the browser, or a dialog over the page. */
export function isKeyTaken({ defaultPrevented, altKey, ctrlKey, metaKey, target }: KeyPress): boolean {
  if (defaultPrevented || altKey || ctrlKey || metaKey || !(target instanceof Element)) return true
  const dialog = findOpenDialog()
  return isTypingTarget(target) || (dialog !== undefined && !dialog.contains(target))
}

/** Returns the topmost modal dialog. */
export const findOpenDialog = () => [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
