import { z } from 'zod'
import { OutboundProblem } from '../outbound/outbound-problem.ts'

const paged = z.looseObject({ nextPageToken: z.string().optional() })
const most = 5000

/** One page after the other, until there is none. A service that sends in circles is stopped. */
export async function* pagesOf(page: (token: string | undefined) => Promise<unknown>): AsyncGenerator<unknown> {
  const seen = new Set<string>()
  let token: string | undefined
  do {
    const answer = await page(token)
    yield answer
    token = paged.parse(answer).nextPageToken || undefined
    if (token !== undefined && (seen.has(token) || seen.size >= most))
      throw new OutboundProblem('broken', 'Google’s pages have no end')
    if (token !== undefined) seen.add(token)
  } while (token !== undefined)
}
