import { z } from 'zod'
import { everyone } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'

const taken = z.object({ success: z.literal(true) })

/** Where the providers send leads. Their proof is a signature or a key, checked over the raw bytes. */
export const intake = {
  callrail: endpoint('POST /hooks/callrail', {
    allow: everyone,
    raw: true,
    about:
      'CallRail’s webhooks. Header `Signature`: base64 of HMAC-SHA1 of the raw body with the company’s signing key.',
    answers: taken,
  }),
  formidable: endpoint('POST /hooks/formidable/:id', {
    allow: everyone,
    raw: true,
    about: 'Formidable Forms’ “Send API data” action of one client site. Basic auth, the site’s key as the user name.',
    answers: taken,
  }),
}
