import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'

export const seeAsContract = {
  begin: endpoint('POST /admin/:id/see-as', {
    allow: adminsWithPages('admin_pages', 'leads_handlers', 'clients'),
    changes: [],
    newSecret: true,
    description:
      'A read-only view as another person, for half an hour: every GET returns what they get, without secrets; everything else is 403. For users who manage the person’s account and hold all of its rights.',
    response: z.object({ token: z.string() }),
  }),
}
