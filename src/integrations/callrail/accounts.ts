import { z } from 'zod'
import type { OutboundClient } from '../outbound/outbound.ts'
import { parseAnswer } from '../outbound/parse-answer.ts'
import { toPlainText } from '../outbound/plain-text.ts'
import { parseJson } from '../outbound/response.ts'

/** What a key of CallRail's API sees: accounts, and their companies and tracking numbers. */

type CallRailAccess = { outbound: OutboundClient; CALLRAIL_API_URL: string; apiKey: string }
type CallRailAccount = { id: string; name: string }

/** CallRail refused a request, in its own words. */
export class CallRailRefusedError extends Error {
  readonly status: number

  constructor(status: number, words: string | null) {
    super(words === null ? `CallRail answered ${status}` : `CallRail says: ${words}`)
    this.status = status
  }
}

/** Returns the accounts that a key sees. */
export async function listAccounts(access: CallRailAccess): Promise<CallRailAccount[]> {
  return (await readPages(access, 'a.json', accountsPageSchema, ({ accounts }) => accounts)).map(({ id, name }) => ({
    id: String(id),
    name,
  }))
}

/** Returns how many companies an account has, and how many tracking numbers their trackers have; those switched off do not count. */
export async function countCompaniesAndNumbers(access: CallRailAccess, accountId: string) {
  const path = `a/${encodeURIComponent(accountId)}`
  const companies = await readPages(access, `${path}/companies.json`, companiesPageSchema, (page) => page.companies)
  const trackers = await readPages(access, `${path}/trackers.json`, trackersPageSchema, (page) => page.trackers)
  const numbers = trackers.filter(isActive).flatMap(({ tracking_numbers }) => tracking_numbers)
  return { companies: companies.filter(isActive).length, numbers: new Set(numbers).size }
}

const isActive = ({ status }: { status?: string | null | undefined }) => status !== 'disabled'

const pageSchema = z.looseObject({ total_pages: z.int().min(0).default(1) })
const accountsPageSchema = pageSchema.extend({
  accounts: z.array(z.looseObject({ id: z.union([z.string(), z.int()]), name: z.string() })),
})
const companiesPageSchema = pageSchema.extend({
  companies: z.array(z.looseObject({ status: z.string().nullish() })),
})
const trackersPageSchema = pageSchema.extend({
  trackers: z.array(
    z.looseObject({
      status: z.string().nullish(),
      tracking_numbers: z
        .array(z.string())
        .nullish()
        .transform((list) => list ?? []),
    }),
  ),
})

/** CallRail's maximum per page. */
const perPage = 250
/** 10,000 companies or trackers: more than an account has. */
const maxPages = 40

async function readPages<Schema extends z.ZodType<{ total_pages: number }>, Item>(
  access: CallRailAccess,
  path: string,
  schema: Schema,
  pick: (page: z.output<Schema>) => Item[],
): Promise<Item[]> {
  const items: Item[] = []
  for (let number = 1; number <= maxPages; number++) {
    const query = new URLSearchParams({ page: String(number), per_page: String(perPage) })
    const page = parseAnswer('CallRail', schema, await readJson(access, `${path}?${query}`))
    items.push(...pick(page))
    if (number >= page.total_pages) break
  }
  return items
}

async function readJson({ outbound, CALLRAIL_API_URL, apiKey }: CallRailAccess, path: string): Promise<unknown> {
  const url = new URL(`${CALLRAIL_API_URL}/${path}`)
  const response = await outbound.request(url.href, {
    configured: url.origin,
    redirects: 0, // the key must go nowhere else
    headers: { authorization: `Token token="${apiKey}"`, accept: 'application/json' },
    mostBytes: 10_000_000,
  })
  const body = parseJson(await response.text())
  if (response.status < 200 || response.status >= 300)
    throw new CallRailRefusedError(response.status, toPlainText(refusalSchema.safeParse(body).data?.error, 300))
  return body
}

const refusalSchema = z.looseObject({ error: z.string() })
