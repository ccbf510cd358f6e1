import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { pagedFields } from '#contract/paged.ts'
import { ipFields } from './fields.ts'

export const ipsContract = {
  list: endpoint('GET /ip', {
    allow: adminsWithPages('ipAddresses'),
    reads: ['ip'],
    description: 'The IP addresses that sites resolve to, and the owners of their networks.',
    ...pagedFields(ipFields, { sort: 'ip', perPage: 200 }),
  }),
}
