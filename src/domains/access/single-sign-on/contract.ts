import { z } from 'zod'
import { allowEveryone } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'

export const singleSignOnContract = {
  begin: endpoint('GET /user/oidc', {
    allow: allowEveryone,
    reads: ['user'],
    description:
      'The URL of the OpenID provider to sign in at, and a cookie that binds the response to this browser. 404 without a provider, 503 if it does not respond.',
    response: z.object({ auth_url: z.string() }),
  }),
  finish: endpoint('POST /user/oidc', {
    allow: allowEveryone,
    changes: ['user'],
    newSecret: true,
    description:
      'Exchanges the provider’s response for a session of the account with that verified email. A refusal returns 200 with an `error`.',
    body: z.strictObject({
      code: z.string('Please send the code').min(1, 'Please send the code').max(4000),
      state: z.string('Please send the state').min(1, 'Please send the state').max(200),
      iss: z.string().max(2000).optional(),
    }),
    response: z.union([z.object({ token: z.string() }), z.object({ error: z.string() })]),
  }),
}
