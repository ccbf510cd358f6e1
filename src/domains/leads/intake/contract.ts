import { z } from 'zod'
import { allowEveryone } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'

const acceptedSchema = z.object({ success: z.literal(true) })

/** The endpoints for providers. Their proof is a signature over the raw bytes, or a key. */
export const intakeContract = {
  callrail: endpoint('POST /hooks/callrail', {
    allow: allowEveryone,
    changes: ['lead'],
    raw: true,
    description:
      'CallRail’s webhooks. Header `Signature`: base64 of HMAC-SHA1 of the raw body with the company’s signing key.',
    response: acceptedSchema,
  }),
  formidable: endpoint('POST /hooks/formidable/:id', {
    allow: allowEveryone,
    changes: ['lead'],
    raw: true,
    description:
      'Formidable Forms’ “Send API data” action of one client site. Basic auth, the site’s key as the user name.',
    response: acceptedSchema,
  }),
}
