import { z } from 'zod'
import { allowEveryone, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'

/** Recordings of calls. The provider's URL and key never reach a browser, which plays a short-lived signed URL of Leadline. */
export const recordingsContract = {
  get: endpoint('GET /recording/:id', {
    allow: mayUsePages('leads', 'archivedleads'),
    reads: ['lead'],
    description: 'A URL that plays the recording of this lead for the next ten minutes.',
    response: z.object({ url: z.string() }),
  }),
  stream: endpoint('GET /recording/:id/stream', {
    allow: allowEveryone,
    description:
      'The recording itself, with ranges. Access is granted by the signature in the URL from GET recording/{id}.',
    query: z.object({ by: z.string().max(60), expires: z.coerce.number(), signature: z.string().max(100) }),
    streams: 'audio/*',
  }),
}
