import { type ComponentProps, useEffect, useRef, useState } from 'react'

/** Milliseconds: what takes longer comes by itself, and the rest is not kept from the reader. */
const longestWait = 3000

/** Shows its parts once each has what it shows, so that none moves the others; one that waits has something with `data-waiting` in it. */
export function ShownTogether(props: Omit<ComponentProps<'div'>, 'ref' | 'style'>) {
  const area = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const look = () => {
      if (area.current?.querySelector('[data-waiting]') === null) setShown(true)
    }
    const observer = new MutationObserver(look)
    if (area.current) observer.observe(area.current, { childList: true, subtree: true })
    const timer = window.setTimeout(setShown, longestWait, true)
    look()
    return () => {
      observer.disconnect()
      window.clearTimeout(timer)
    }
  }, [])
  return <div {...props} ref={area} style={isShown ? undefined : { visibility: 'hidden' }} />
}
