import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, idOr, queryId, querySearch, required, siteAddress } from '#contract/fields.ts'
import { listFile, paged } from '#contract/paged.ts'
import { checkedSite, queryStatus, siteLogs } from '../checks/contract.ts'

const hook = z.object({ callrail_url: z.string(), formidable_url: z.string(), key: z.string().nullable() })
const keeps = both(admin, may('clientSites'))

const clientSite = z.object({
  id,
  url: z.string(),
  campaign: z.object({ id, name: z.string() }).nullable(),
  callrail_campaign_identifier: z.string().nullable(),
  ip: z.string().nullable(),
  ...checkedSite,
})
export type ClientSite = z.infer<typeof clientSite>

const form = z.object({
  url: siteAddress('Please input URL'),
  callrail_campaign_identifier: required('Please input CallRail Company ID', 100),
  campaign_id: idOr('Please select Campaign'),
  /** Only ever written. Empty leaves the one that is there. */
  callrail_signing_key: z
    .string()
    .trim()
    .max(255, 'At most 255 characters')
    .transform((key) => key || null)
    .nullish(),
})
export type ClientSiteForm = z.output<typeof form>

const list = paged({
  row: clientSite,
  sorts: ['url', 'campaign', 'status', 'ip'],
  sort: 'url',
  perPage: 200,
  filters: { url: querySearch(2048), ip: querySearch(), campaign_id: queryId, status: queryStatus },
})
export type ClientSiteQuery = z.output<typeof list.query>

export const clientSites = {
  list: endpoint('GET /clientsite', { allow: keeps, ...list }),
  csv: listFile('GET /clientsite/export', { allow: keeps, query: list.query, file: 'client_sites.csv' }),
  create: endpoint('POST /clientsite', {
    allow: keeps,
    body: form,
    answers: clientSite,
    says: 'Client Site was created successfully',
  }),
  update: endpoint('PUT /clientsite/:id', {
    allow: keeps,
    body: form,
    answers: clientSite,
    says: 'Client Site was updated successfully',
  }),
  remove: endpoint('DELETE /clientsite/:id', {
    allow: keeps,
    about: 'Its leads stay.',
    asks: 'Are you sure to remove this site?',
    says: 'Client Site was removed successfully',
  }),
  logs: endpoint('GET /clientsite/:id/logs', { allow: keeps, ...siteLogs }),
  check: endpoint('POST /clientsite/:id/check', {
    allow: keeps,
    about: 'Checks the site now, and answers what was found.',
    answers: clientSite,
    says: 'Site was checked',
  }),
  hook: endpoint('GET /clientsite/:id/hook', {
    allow: keeps,
    about: 'Where CallRail and Formidable send this site’s leads, and the key that its forms carry.',
    answers: hook,
  }),
  newHookKey: endpoint('POST /clientsite/:id/hook', {
    allow: keeps,
    about: 'Makes a new key for the site’s forms; the old one stops working at once.',
    answers: hook,
    asks: 'Are you sure to make a new key? Forms that carry the old one stop working at once.',
    says: 'New key was made',
  }),
  all: endpoint('GET /clientsite/all', {
    allow: both(admin, may('clientSites', 'campaigns', 'leads')),
    about: 'Every client site one may see, for pickers.',
    answers: z.array(z.object({ id, url: z.string(), campaign_id: id.nullable() })),
  }),
}
