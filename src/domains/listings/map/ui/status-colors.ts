import type { Pin } from '../contract.ts'

/** What a pin's colour means as long as its category has none of its own. */
export const statusColours = { live: '#2e9e6b', suspended: '#c4352a', other: '#d97a06' } as const

export function statusColour(status: number): string {
  if (status === 1) return statusColours.live
  return status === 4 ? statusColours.suspended : statusColours.other
}

export const colourOf = ({ color, status }: Pick<Pin, 'color' | 'status'>): string => color ?? statusColour(status)
