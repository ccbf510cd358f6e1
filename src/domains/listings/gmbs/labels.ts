/** The names of a listing's statuses. */
export const gmbStatuses = [
  { id: 1, name: 'Live' },
  { id: 2, name: 'Pending' },
  { id: 3, name: 'Unverified' },
  { id: 4, name: 'Suspended' },
  { id: 5, name: 'Closed' },
] as const
export const liveStatus = 1
export const suspendedStatus = 4
export const getGmbStatusName = (status: number): string => gmbStatuses.find(({ id }) => id === status)?.name ?? '–'

export const notFoundStatusName = 'Not found'
/** The filter values of the list: statuses set by staff, and findings of checks. */
export const listingStates = ['1', '2', '3', '4', '5', 'not_found', 'changed'] as const
export const listingStateOptions = [
  ...gmbStatuses.map(({ id, name }) => ({ value: `${id}` as const, label: name })),
  { value: 'not_found', label: notFoundStatusName },
  { value: 'changed', label: 'Changed' },
] as const

/** Listings in these statuses should be on Google Maps. */
export const statusesOnMaps = [1, 2, 3]
/** Whether Google Maps no longer shows the listing. Suspended and closed listings are not expected there. */
export const isNotFound = ({ status, gone_at }: { status: number; gone_at: unknown }): boolean =>
  gone_at !== null && statusesOnMaps.includes(status)
