import { gmbFields } from '../gmbs/fields.ts'

/** The log's names of the fields that a check compares. */
export const checkedFieldLabels = {
  title: gmbFields.title.label,
  address: gmbFields.address.label,
  phone: gmbFields.phone.label,
  website: gmbFields.website.label,
  category: 'Category',
  closed: 'Closed',
} as const

export const verificationLogField = 'Google status'
export const placeLabel = 'Google Maps'
export const foundLabel = 'found'
export const notFoundLabel = 'not found'
