import { defineFields } from '#contract/field-definitions.ts'
import { byCheck, byChoice, byId, bySearch } from '#contract/filter-definitions.ts'
import { locationFieldLabels as labels, verificationStatuses, verificationStatusLabels } from './labels.ts'

/**
 * The columns of the GMB Manager. Its row stands in the contract: it holds Google's own shape of the editable fields, which the edit
 * shares, and is built from three tables.
 */
export const locationFields = defineFields({
  title: { kind: 'longText', label: labels.title, column: { width: 208, pinned: 'start' }, sort: true },
  standing: { kind: 'custom', label: 'Google status', column: { width: 160 }, sort: true },
  edits: { kind: 'custom', label: 'Edits', column: { width: 140 } },
  address: { kind: 'longText', label: labels.address, column: { width: 240 }, sort: true },
  phone: { kind: 'phone', label: labels.phone, column: { width: 172 }, sort: true },
  website: { kind: 'custom', label: labels.website, column: { width: 176 }, sort: true },
  service_area: { kind: 'longText', label: labels.service_area, column: { width: 200 }, sort: true },
  primary_category: { kind: 'custom', label: labels.primary_category, column: { width: 170 }, sort: true },
  categories: { kind: 'custom', label: labels.categories, column: { width: 210 }, sort: true },
  description: { kind: 'longText', label: labels.description, column: { width: 260 }, sort: true },
  email: { kind: 'longText', label: 'Email', column: { width: 210 }, sort: true },
  account_name: { kind: 'longText', label: 'Account', column: { width: 160 }, sort: true },
  google_maps_url: { kind: 'custom', label: 'Google Maps', column: { width: 120 } },
  review_link: { kind: 'custom', label: 'Review Link', column: { width: 120 } },
  seen_at: { kind: 'instant', label: 'Last Read', column: { width: 156 }, sort: true },
})

export const locationFilters = {
  search: bySearch({ label: 'Search by Title, Address or Category', max: 200 }),
  account_id: byId({ label: 'Account' }),
  standing: byChoice(verificationStatuses, verificationStatusLabels, { label: 'Google status' }),
  pending: byCheck({ label: 'Unpublished edits' }),
  needs_relink: byCheck({ label: 'Reconnect account' }),
  vanished: byCheck({ label: 'Removed on Google' }),
}
