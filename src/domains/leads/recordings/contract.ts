import { z } from 'zod'
import { allowEveryone, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'

/** The sound of a call. The provider's address and key never reach a browser: it plays a short-lived address of ours. */
export const recordingsContract = {
  get: endpoint('GET /recording/:id', {
    allow: mayUsePages('leads', 'archivedleads'),
    description: 'Where the recording of this lead can be played for the next ten minutes.',
    response: z.object({ url: z.string() }),
  }),
  stream: endpoint('GET /recording/:id/stream', {
    allow: allowEveryone,
    description:
      'The recording itself, with ranges. Its proof is the signature in the address that GET recording/{id} gave.',
    query: z.object({ by: z.string().max(60), expires: z.coerce.number(), signature: z.string().max(100) }),
    streams: true,
  }),
}
