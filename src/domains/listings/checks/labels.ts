import { labels } from '../gmbs/labels.ts'

/** How the log calls what a check compares. */
export const fieldNames = {
  title: labels.title,
  address: labels.address,
  phone: labels.phone,
  website: labels.website,
  category: 'Category',
  closed: 'Closed',
} as const

export const standingField = 'Standing at Google'
export const place = 'Google Maps'
export const found = 'found'
export const notFound = 'not found'
