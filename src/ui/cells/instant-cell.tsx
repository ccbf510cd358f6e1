import type { ReactNode } from 'react'
import { textCell, wholeCell } from './cells.tsx'
import { formatInstant } from './timestamps.ts'

/** Shows an instant (ISO 8601), on two lines where there is no room for one: the day and the time are not broken. */
export function instantCell(at: string | null | undefined): ReactNode {
  if (!at) return textCell(null)
  const [day = '', ...time] = formatInstant(at).split(' ')
  return (
    <span>
      {wholeCell(day)} {wholeCell(time.join(' '))}
    </span>
  )
}
