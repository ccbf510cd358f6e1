import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { focusFirstControl } from '../layout/restore-focus.ts'
import classes from './CellPopover.module.css'

type CellPopoverProps = { at: RefObject<HTMLElement | null>; label: string; onClose: () => void; children: ReactNode }

/**
 * A popover next to the element that opened it: the browser's own, so that a table with a thousand cells needs no library
 * component. Esc or a click elsewhere closes it, and the focus goes back.
 */
export function CellPopover({ at, label, onClose, children }: CellPopoverProps) {
  const element = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  useLayoutEffect(() => {
    const popup = element.current
    const opener = at.current
    if (!popup || !opener) return
    popup.showPopover()
    positionPopover(popup, opener.getBoundingClientRect())
    focusFirstControl(popup)
    const closed = () => close.current()
    const toggled = (event: ToggleEvent) => event.newState === 'closed' && closed()
    // The popover follows its opener and closes when the opener scrolls out of sight.
    const scrolled = (event: Event) => {
      if (event.target instanceof Element && popup.contains(event.target)) return
      if (isOpenerVisible(opener)) positionPopover(popup, opener.getBoundingClientRect())
      else closed()
    }
    // Its content may arrive later.
    const sized = new ResizeObserver(() => positionPopover(popup, opener.getBoundingClientRect()))
    sized.observe(popup)
    popup.addEventListener('toggle', toggled)
    document.addEventListener('scroll', scrolled, { capture: true, passive: true })
    return () => {
      sized.disconnect()
      popup.removeEventListener('toggle', toggled)
      document.removeEventListener('scroll', scrolled, { capture: true })
      if (popup.contains(document.activeElement)) opener.focus({ preventScroll: true })
      if (popup.matches(':popover-open')) popup.hidePopover()
    }
  }, [at])

  return (
    <div
      ref={element}
      popover="auto"
      role="dialog"
      aria-label={label}
      className={classes.popup}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {children}
    </div>
  )
}

/** Returns whether a `CellPopover` is open, and the properties of the button that opens it. */
export function useCellPopover() {
  const [isOpen, setOpen] = useState(false)
  // Pressing the button closes an open popover before the click arrives; that click must not open it again.
  const wasOpen = useRef(false)
  const opener = {
    'aria-expanded': isOpen,
    onPointerDown: () => {
      wasOpen.current = isOpen
    },
    onClick: () => {
      setOpen(!isOpen && !wasOpen.current)
      wasOpen.current = false
    },
  }
  return { isOpen, close: () => setOpen(false), opener }
}

/** Presses the button that a key opens a popover with, inside a row or a pane. Returns whether there is one. */
export function pressOpener(key: string, place: HTMLElement): boolean {
  const button = place.querySelector<HTMLElement>(`button[data-key="${key}"]`)
  button?.click()
  return button !== null
}

/** Returns whether the opener is visible in the scrolled region around it. */
function isOpenerVisible(opener: HTMLElement): boolean {
  const frame = opener.closest('section')?.getBoundingClientRect()
  const { top, bottom, left, right } = opener.getBoundingClientRect()
  return !frame || (bottom > frame.top && top < frame.bottom && right > frame.left && left < frame.right)
}

/** Places the popover below its opener, or above it or sideways where there is no room. */
function positionPopover(popup: HTMLElement, opener: DOMRect) {
  const { width, height } = popup.getBoundingClientRect()
  const room = 8
  const below = opener.bottom + 4
  const above = Math.min(opener.top - 4, innerHeight - room) - height
  const top = below + height + room > innerHeight ? Math.max(room, above) : below
  const left = Math.max(room, Math.min(opener.left, innerWidth - width - room))
  popup.style.top = `${top}px`
  popup.style.left = `${left}px`
}
