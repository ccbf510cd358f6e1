import { toastCopied, toastError } from '../feedback/toast.tsx'
import { isTypingTarget } from '../layout/shortcuts.ts'

/** Copies a text and says so. */
export async function copyText(value: string) {
  try {
    // Not there where the page came over plain http.
    if (!navigator.clipboard) throw new Error('The browser lets only pages that came over https use the clipboard')
    await navigator.clipboard.writeText(value)
    toastCopied()
  } catch (problem) {
    toastError(problem)
  }
}

/** Whether this is Ctrl C, or Cmd C, with nothing selected that the browser would copy by itself. */
export function isCopyShortcut({ defaultPrevented, key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent) {
  if (defaultPrevented || key.toLowerCase() !== 'c' || ctrlKey === metaKey || altKey || shiftKey) return false
  return target instanceof Element && !isTypingTarget(target) && String(getSelection()) === ''
}

/** What can be pressed is no value; a chosen one of several is. What floats over a cell, or is hidden, does not belong to it. */
const unreadableSelector = 'button:not([aria-pressed=true]), audio, svg, [aria-hidden=true], [role=alert], [popover]'

/**
 * What a cell says, as plain text: of a switch yes or no, of a control its value, of a cell that is nothing but links to elsewhere
 * their addresses, and nothing of an empty one.
 */
export function getCellText(cell: Element): string {
  const control = cell.querySelector('input, select, textarea')
  if (control) return getControlText(control)
  const said = getVisibleText(cell)
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

/** Words of different elements stand apart, as they do on the page. */
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
