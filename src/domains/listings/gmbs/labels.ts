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

/** The fields that people read and type, as dialogs, columns and the log call them. */
export const gmbFieldLabels = {
  title: 'Title',
  address: 'Address',
  website: 'Website',
  phone: 'Phone',
  password: 'Password',
  email: 'Email',
  recovery_email: 'Recovery Email',
  link: 'Link',
  review_link: 'Review Link',
  campaign_id: 'Campaign',
  status: 'Status',
  client_owned: 'Client Owned',
  is_client_location: 'Client Location',
  notes: 'Notes',
} as const
/** What the columns are called that are none of these. */
export const gmbColumnTitles = {
  changed: 'Changed',
  checked_at: 'Last Check',
  reviews_count: 'Reviews Count',
  updated_at: 'Updated At',
} as const
export type GmbField = keyof typeof gmbFieldLabels
