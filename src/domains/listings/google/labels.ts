export type LocationCategory = { name: string; displayName: string }

/** How a location stands with Google, in the words of staff. That an account must be linked again is no standing: nobody knows it then. */
export const verificationStatusLabels = {
  active: 'Active',
  suspended: 'Suspended',
  disabled: 'Disabled',
  pending_verification: 'Pending verification',
  unverified: 'Unverified',
  ownership_conflict: 'Ownership conflict',
  in_review: 'In review',
  unknown: 'Unknown',
} as const
export type VerificationStatus = keyof typeof verificationStatusLabels
export const verificationStatuses = Object.keys(verificationStatusLabels) as [
  VerificationStatus,
  ...VerificationStatus[],
] // its keys

/** Has the locations of one linked account read, by its id. */
export const googleSyncQueue = { name: 'google-sync' }

/** What can be changed of a location, as columns, dialog and trail call it. */
export const locationFieldLabels = {
  title: 'Title',
  primary_category: 'Primary Category',
  categories: 'Additional Categories',
  phone: 'Phone',
  website: 'Website',
  address: 'Address',
  service_area: 'Service Area',
  description: 'Description',
} as const
export type LocationField = keyof typeof locationFieldLabels

export type LocationFields = {
  title: string
  primary_category: LocationCategory | null
  categories: LocationCategory[]
  phone: string | null
  website: string | null
  address: string | null
  service_area: string | null
  description: string | null
}
export type ChangedLocationFields = Partial<LocationFields>

/** Google's parts of a location, and the fields of ours that stand in each. A part is sent as a whole. */
export const partByField = {
  title: 'title',
  primary_category: 'categories',
  categories: 'categories',
  phone: 'phoneNumbers',
  website: 'websiteUri',
  address: 'storefrontAddress',
  service_area: 'serviceArea',
  description: 'profile',
} as const satisfies Record<LocationField, string>

/** A part of Google's in our words. */
export const getPartLabel = (part: string): string => {
  const fields = getPartFields(part.split('.')[0] ?? part)
  return fields.length > 0 ? fields.map((field) => locationFieldLabels[field]).join(', ') : part
}
export const getPartFields = (part: string): LocationField[] =>
  (Object.keys(partByField) as LocationField[]).filter((field) => partByField[field] === part) // its keys

/** Stands between the places of a service area, whose names have commas of their own. */
export const placeSeparator = '; '

/** A field's value in words; null where it is empty. */
export function formatLocationValue(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.length > 0 ? value.map(formatLocationValue).join(', ') : null
  return typeof value === 'object' && 'displayName' in value ? String(value.displayName) : String(value)
}
