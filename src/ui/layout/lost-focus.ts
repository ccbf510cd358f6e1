import { findOpenDialog } from './shortcuts.ts'

/**
 * Leads the keyboard on when the control that has the focus leaves the page or is disabled: to the first control of what it was in. The
 * browser would begin again at the top of the page. Returns how to stop.
 */
export function keepLostFocus(): () => void {
  const stopping = new AbortController()
  const listening = { capture: true, passive: true, signal: stopping.signal }
  let [byKey, waits, checking] = [false, false, false]
  /** The control in the screen that had the focus last, and all that it was in. */
  let path: Element[] = []

  document.addEventListener('keydown', () => (byKey = true), listening)
  document.addEventListener('pointerdown', () => (byKey = false), listening)
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof Element) || !target.closest('main')) return
      path = listAncestors(target)
      waits = false
    },
    listening,
  )
  const observer = new MutationObserver(() => {
    if (checking || !byKey || !path[0] || (isUsable(path[0]) && !waits)) return
    checking = true
    // After those who know better where it goes, and after the browser has noticed that it is lost.
    requestAnimationFrame(() => setTimeout(check))
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })

  function check() {
    checking = false
    const [lost] = path
    if (document.activeElement !== document.body) waits = false
    else if (!lost || findOpenDialog()) return
    else if (isUsable(lost)) {
      if (waits) focus(lost)
    } else if (lost.isConnected && lost.hasAttribute('data-loading')) waits = true
    else leadOn()
  }
  function leadOn() {
    const around = path.slice(1).filter(({ isConnected }) => isConnected)
    path = []
    for (const element of around) {
      // Of a list the keys work from nowhere as well, on the row that had the focus last.
      if (element.querySelector('[data-index]')) return
      // One that a narrower screen shows takes no focus.
      const control = [...element.querySelectorAll(controlSelector)].find(
        (one) => isUsable(one) && one.checkVisibility(),
      )
      if (control) return focus(control)
    }
  }

  return () => {
    observer.disconnect()
    stopping.abort()
  }
}

/** Returns the element and what it is in, up to the screen, which another one may take the place of. */
function listAncestors(element: Element): Element[] {
  const path: Element[] = []
  for (let at: Element | null = element; at && at.tagName !== 'MAIN'; at = at.parentElement) path.push(at)
  return path
}

const controlSelector = 'a[href], button, input, select, textarea'
const isUsable = (element: Element) => element.isConnected && !element.matches(':disabled')

const focus = (element: Element) => element instanceof HTMLElement && element.focus({ preventScroll: true })
