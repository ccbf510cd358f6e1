import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, querySearch } from '#contract/fields.ts'
import { paged } from '#contract/paged.ts'

const ip = z.object({
  id,
  ip: z.string(),
  network_sites_count: z.int(),
  /** Of those that the reader may see. */
  client_sites_count: z.int(),
  owner: z.string().nullable(),
  country: z.string().nullable(),
  region: z.string().nullable(),
})
export type Ip = z.infer<typeof ip>

export const ips = {
  list: endpoint('GET /ip', {
    allow: both(admin, may('ipAddresses')),
    about: 'The addresses that sites resolve to, and whose networks they are in.',
    ...paged({
      row: ip,
      sorts: ['ip', 'network_sites_count', 'client_sites_count', 'owner', 'country', 'region'],
      sort: 'ip',
      perPage: 200,
      filters: { ip: querySearch(), owner: querySearch(), country: querySearch(), region: querySearch() },
    }),
  }),
}
