import { useEffect, useState } from 'react'

/** Leaves for another site. `isLeaving` holds until the page is gone, and ends when Back shows it again as it was. */
export function usePageLeave(): { isLeaving: boolean; leaveFor: (address: string) => void } {
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    const shown = () => setLeaving(false)
    window.addEventListener('pageshow', shown)
    return () => window.removeEventListener('pageshow', shown)
  }, [])
  const leaveFor = (address: string) => {
    setLeaving(true)
    location.assign(address)
  }
  return { isLeaving, leaveFor }
}
