import { useEffect } from 'react'
import { create } from 'zustand'

/** A key and what it does, as the list of shortcuts says it. */
export type KeyShortcut = { key: string; label: string }
/** What a screen hands over: its keys, under its own words. */
export type ShortcutList = { title: string; shortcuts: readonly KeyShortcut[] }

const useShortcutStore = create<{ lists: readonly ShortcutList[] }>(() => ({ lists: [] }))

/** Lists a screen's own keys under `?` as long as it is open; null lists none. `list` keeps its identity. */
export function useShortcuts(list: ShortcutList | null) {
  useEffect(() => {
    if (!list) return
    useShortcutStore.setState(({ lists }) => ({ lists: [...lists, list] }))
    return () => useShortcutStore.setState(({ lists }) => ({ lists: lists.filter((other) => other !== list) }))
  }, [list])
}

/** What the screens that are open have handed over. */
export const useShortcutLists = () => useShortcutStore(({ lists }) => lists)

const typingSelector =
  'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=combobox]'
export const isTypingTarget = (target: Element) => target.matches(typingSelector)

type KeyPress = Pick<KeyboardEvent, 'defaultPrevented' | 'altKey' | 'ctrlKey' | 'metaKey' | 'target'>

/** Whether a key is meant for something else: the text that is being typed, the browser, or the dialog over the page. */
export function isKeyTaken({ defaultPrevented, altKey, ctrlKey, metaKey, target }: KeyPress): boolean {
  if (defaultPrevented || altKey || ctrlKey || metaKey || !(target instanceof Element)) return true
  const dialog = findOpenDialog()
  return isTypingTarget(target) || (dialog !== undefined && !dialog.contains(target))
}

/** The dialog that one must close before doing anything else. */
export const findOpenDialog = () => [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
