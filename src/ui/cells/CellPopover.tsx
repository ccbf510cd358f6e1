import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import classes from './CellPopover.module.css'

type CellPopoverProps = { at: RefObject<HTMLElement | null>; label: string; onClose: () => void; children: ReactNode }

/**
 * Floats over everything beside what opened it: the browser's own popover, so that a table of a thousand cells carries no
 * library component for it. Esc and a click elsewhere close it, and the focus goes back.
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
    popup.querySelector<HTMLElement>('input, button, a')?.focus()
    const closed = () => close.current()
    const toggled = (event: ToggleEvent) => event.newState === 'closed' && closed()
    // It goes along with its opener, and with it out of sight.
    const scrolled = (event: Event) => {
      if (event.target instanceof Element && popup.contains(event.target)) return
      if (isOpenerVisible(opener)) positionPopover(popup, opener.getBoundingClientRect())
      else closed()
    }
    popup.addEventListener('toggle', toggled)
    document.addEventListener('scroll', scrolled, { capture: true, passive: true })
    return () => {
      popup.removeEventListener('toggle', toggled)
      document.removeEventListener('scroll', scrolled, { capture: true })
      if (popup.contains(document.activeElement)) opener.focus()
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

/** Whether the scrolled region around it shows it. */
function isOpenerVisible(opener: HTMLElement): boolean {
  const frame = opener.closest('section')?.getBoundingClientRect()
  const { top, bottom, left, right } = opener.getBoundingClientRect()
  return !frame || (bottom > frame.top && top < frame.bottom && right > frame.left && left < frame.right)
}

/** Under its opener; above it, or moved sideways, where there is no room. */
function positionPopover(popup: HTMLElement, opener: DOMRect) {
  const { width, height } = popup.getBoundingClientRect()
  const room = 8
  const below = opener.bottom + 4
  const top = below + height + room > innerHeight ? Math.max(room, opener.top - height - 4) : below
  const left = Math.max(room, Math.min(opener.left, innerWidth - width - room))
  popup.style.top = `${top}px`
  popup.style.left = `${left}px`
}
