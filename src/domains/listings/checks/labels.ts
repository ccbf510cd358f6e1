import { gmbFieldLabels } from '../gmbs/labels.ts'

/** How the log calls what a check compares. */
export const checkedFieldLabels = {
  title: gmbFieldLabels.title,
  address: gmbFieldLabels.address,
  phone: gmbFieldLabels.phone,
  website: gmbFieldLabels.website,
  category: 'Category',
  closed: 'Closed',
} as const

export const verificationLogField = 'Standing at Google'
export const placeLabel = 'Google Maps'
export const foundLabel = 'found'
export const notFoundLabel = 'not found'
