import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, querySearch } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'

const ipAddressSchema = z.object({
  id: idField,
  ip: z.string(),
  network_sites_count: z.int(),
  /** Counts only sites that the user may see. */
  client_sites_count: z.int(),
  owner: z.string().nullable(),
  country: z.string().nullable(),
  region: z.string().nullable(),
})
export type IpAddressRow = z.infer<typeof ipAddressSchema>

export const ipsContract = {
  list: endpoint('GET /ip', {
    allow: adminsWithPages('ipAddresses'),
    description: 'The IP addresses that sites resolve to, and the owners of their networks.',
    ...pagedQuery({
      row: ipAddressSchema,
      sorts: ['ip', 'network_sites_count', 'client_sites_count', 'owner', 'country', 'region'],
      sort: 'ip',
      perPage: 200,
      filters: { ip: querySearch(), owner: querySearch(), country: querySearch(), region: querySearch() },
    }),
  }),
}
