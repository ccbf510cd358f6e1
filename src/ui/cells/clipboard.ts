import { toastCopied, toastError } from '../feedback/toast.tsx'
import { isTypingTarget } from '../layout/shortcuts.ts'

/** Copies text and confirms it. */
export async function copyText(value: string) {
  if (await writeClipboard(value)) toastCopied()
}

/** Copies text. Returns whether it was copied; if not, a toast says why. */
export async function writeClipboard(value: string): Promise<boolean> {
  // Missing on pages loaded over plain http.
  if (!navigator.clipboard) return refuse('The browser allows copying only on pages loaded over https')
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    return refuse('The browser did not allow this page to copy. Select the text, and copy it yourself')
  }
}

function refuse(reason: string): false {
  toastError(new Error(reason))
  return false
}

/** Returns whether this is Ctrl C or Cmd C with nothing selected that the browser would copy. */
export function isCopyShortcut({ defaultPrevented, key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent) {
  if (defaultPrevented || key.toLowerCase() !== 'c' || ctrlKey === metaKey || altKey || shiftKey) return false
  return target instanceof Element && !isTypingTarget(target) && String(getSelection()) === ''
}

/** Elements whose text is not part of a cell's value: buttons that are not a chosen option, and anything floating or hidden. */
const unreadableSelector = 'button:not([aria-pressed=true]), audio, svg, [aria-hidden=true], [role=alert], [popover]'

/**
 * Returns a cell's content as plain text: Yes or No for a switch, the value of a control, the addresses where the cell has only
 * external links, the number to dial where it has only a phone, as its Copy button does, and '' for an empty cell.
 */
export function getCellText(cell: Element): string {
  const control = cell.querySelector('input, select, textarea')
  if (control) return getControlText(control)
  const said = getVisibleText(cell)
  const copied = cell.querySelector('[data-copies]')
  if (copied && said === getVisibleText(copied)) return copied.getAttribute('data-copies') ?? said
  const links = [...cell.querySelectorAll('a[target=_blank]')]
  if (links.length > 0 && said === links.map(getVisibleText).join(' '))
    return links.map((link) => link.getAttribute('href')).join('\n')
  return said === '–' ? '' : said
}

function getControlText(control: Element): string {
  if (control instanceof HTMLSelectElement) return control.selectedOptions[0]?.text ?? ''
  if (control instanceof HTMLTextAreaElement) return control.value
  if (!(control instanceof HTMLInputElement)) return ''
  return control.type === 'checkbox' ? (control.checked ? 'Yes' : 'No') : control.value
}

/** Returns the visible text; texts of different elements are separated by a space. */
function getVisibleText(element: Element): string {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let said = ''
  let last: Node | null = null
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    if (text.parentElement?.closest(unreadableSelector)) continue
    said += `${last === text.parentNode ? '' : ' '}${text.textContent}`
    last = text.parentNode
  }
  return said.replace(/\s+/g, ' ').trim()
}
