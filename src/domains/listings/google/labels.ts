export type LocationCategory = { name: string; displayName: string }

/** Google's verification statuses, labeled for staff. While an account must be linked again, the status is unknown. */
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

/** Syncs the locations of a linked account, by the account's id. */
export const googleSyncQueue = { name: 'google-sync' }

/** The editable fields, as labeled in columns, the dialog and the audit log. */
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

/** The part of Google's location that holds each of our fields. A part is always sent whole. */
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

/** Returns the labels of the fields that a part of Google's location holds. */
export const getPartLabel = (part: string): string => {
  const fields = getPartFields(part.split('.')[0] ?? part)
  return fields.length > 0 ? fields.map((field) => locationFieldLabels[field]).join(', ') : part
}
export const getPartFields = (part: string): LocationField[] =>
  (Object.keys(partByField) as LocationField[]).filter((field) => partByField[field] === part) // its keys

/** Separates the places of a service area, whose names contain commas. */
export const placeSeparator = '; '

/** Formats a field's value; null if it is empty. */
export function formatLocationValue(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.length > 0 ? value.map(formatLocationValue).join(', ') : null
  return typeof value === 'object' && 'displayName' in value ? String(value.displayName) : String(value)
}
