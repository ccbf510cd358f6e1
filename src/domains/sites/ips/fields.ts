import { z } from 'zod'
import { defineFields, listFilters } from '#contract/field-definitions.ts'
import { idField } from '#contract/fields.ts'
import { bySearch } from '#contract/filter-definitions.ts'

const optionalText = { row: z.string().nullable(), sort: true, filter: bySearch() } as const

export const ipFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  ip: {
    kind: 'text',
    label: 'IP Address',
    row: z.string(),
    column: { width: 180, pinned: 'start' },
    sort: true,
    filter: bySearch({ label: 'IP' }),
  },
  network_sites_count: { kind: 'count', label: 'Network Sites', row: z.int(), column: { width: 130 }, sort: true },
  /** Counts only sites that the user may see. */
  client_sites_count: { kind: 'count', label: 'Client Sites', row: z.int(), column: { width: 120 }, sort: true },
  owner: { kind: 'longText', label: 'Owner', column: true, ...optionalText },
  country: { kind: 'text', label: 'Country', column: { width: 110 }, ...optionalText },
  region: { kind: 'longText', label: 'Region', column: { width: 180 }, ...optionalText },
})
export const ipFilters = listFilters(ipFields)
