import { useEffect, useSyncExternalStore } from 'react'

/** A key and what it does, as the list of shortcuts says it. */
export type Shortcut = { key: string; label: string }
/** What a screen hands over: its keys, under its own words. */
export type ShortcutList = { title: string; shortcuts: readonly Shortcut[] }

let lists: readonly ShortcutList[] = []
const listeners = new Set<() => void>()

function set(next: readonly ShortcutList[]) {
  lists = next
  for (const tell of listeners) tell()
}

/** Lists a screen's own keys under `?` as long as it is open. `list` keeps its identity. */
export function useShortcuts(list: ShortcutList) {
  useEffect(() => {
    set([...lists, list])
    return () => set(lists.filter((other) => other !== list))
  }, [list])
}

/** What the screens that are open have handed over. */
export function useShortcutLists(): readonly ShortcutList[] {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => lists,
  )
}

const typing = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=combobox]'
export const isTyping = (target: Element) => target.matches(typing)

type Pressed = Pick<KeyboardEvent, 'defaultPrevented' | 'altKey' | 'ctrlKey' | 'metaKey' | 'target'>

/** Whether a key is meant for somebody else: the text that is being typed, the browser, or the dialog over the page. */
export function isTaken({ defaultPrevented, altKey, ctrlKey, metaKey, target }: Pressed): boolean {
  if (defaultPrevented || altKey || ctrlKey || metaKey || !(target instanceof Element)) return true
  const dialog = openDialog()
  return isTyping(target) || (dialog !== undefined && !dialog.contains(target))
}

/** The dialog that one must close before doing anything else. */
export const openDialog = () => [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
