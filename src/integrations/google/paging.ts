import { z } from 'zod'
import { OutboundError } from '../outbound/outbound-problem.ts'
import { parseGoogleAnswer } from './errors.ts'

const pageTokenSchema = z.looseObject({ nextPageToken: z.string().optional() })
const maxPages = 5000

/** Yields all pages, one after the other. Throws if a token repeats or there are too many pages. */
export async function* iteratePages(page: (token: string | undefined) => Promise<unknown>): AsyncGenerator<unknown> {
  const seen = new Set<string>()
  let token: string | undefined
  do {
    const answer = await page(token)
    yield answer
    token = parseGoogleAnswer(pageTokenSchema, answer).nextPageToken || undefined
    if (token !== undefined && (seen.has(token) || seen.size >= maxPages))
      throw new OutboundError('broken', 'Google’s pages never end')
    if (token !== undefined) seen.add(token)
  } while (token !== undefined)
}
