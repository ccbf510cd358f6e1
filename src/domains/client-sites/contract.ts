import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/fields.ts'

const hook = z.object({ callrail_url: z.string(), formidable_url: z.string(), key: z.string().nullable() })
const keeps = both(admin, may('clientSites'))

export const clientSites = {
  hook: endpoint('GET /clientsite/:id/hook', {
    allow: keeps,
    about: 'Where CallRail and Formidable send this site’s leads, and the key that its forms carry.',
    answers: hook,
  }),
  newHookKey: endpoint('POST /clientsite/:id/hook', {
    allow: keeps,
    about: 'Makes a new key for the site’s forms; the old one stops working at once.',
    answers: hook,
  }),
  all: endpoint('GET /clientsite/all', {
    allow: both(admin, may('clientSites', 'campaigns', 'leads')),
    about: 'Every client site one may see, for pickers.',
    answers: z.array(z.object({ id, url: z.string(), campaign_id: id.nullable() })),
  }),
}
