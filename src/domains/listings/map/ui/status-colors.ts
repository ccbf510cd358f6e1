import type { MapPin } from '../contract.ts'

/** The pin colors by status, unless the campaign's category has a color. */
export const statusColors = { live: '#2e9e6b', suspended: '#c4352a', other: '#d97a06' } as const

export function getStatusColor(status: number): string {
  if (status === 1) return statusColors.live
  return status === 4 ? statusColors.suspended : statusColors.other
}

export const getPinColor = ({ color, status }: Pick<MapPin, 'color' | 'status'>): string =>
  color ?? getStatusColor(status)
