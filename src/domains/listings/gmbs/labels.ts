/** What a listing's status means, as staff say it. */
export const gmbStatuses = [
  { id: 1, name: 'Live' },
  { id: 2, name: 'Pending' },
  { id: 3, name: 'Unverified' },
  { id: 4, name: 'Suspended' },
  { id: 5, name: 'Closed' },
] as const
export const suspendedStatus = 4
export const getGmbStatusName = (status: number): string => gmbStatuses.find(({ id }) => id === status)?.name ?? '–'
