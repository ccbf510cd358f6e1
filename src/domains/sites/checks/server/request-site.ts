import { browserHeaders } from '#integrations/outbound/browser-headers.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError, type OutboundErrorKind, type OutboundHop } from '#integrations/outbound/outbound-problem.ts'
import type { OutboundResponse } from '#integrations/outbound/response.ts'
import { describeBotWall } from './bot-walls.ts'
import { describePage } from './replaced-page.ts'
import { getRegisteredDomain } from './site-registration.ts'

/** The result of one check of a site. */
export type ProbeResult = {
  /** `unknown`: nothing shows whether people can open it. */
  outcome: 'live' | 'down' | 'unknown'
  /** The site answers, but keeps checkers out. */
  blocked: boolean
  code: number | null
  redirect: string | null
  ip: string | null
  tlsExpires: Date | null
  problem: string | null
  /** Why there was no answer; null if there was one. */
  failure: OutboundErrorKind | null
}

/** As Chromium follows them. */
const redirects = 19
/** The page's beginning may tell that it is not the site's. */
const bodyMilliseconds = 3000
const checkOptions = { anyCertificate: true, likeBrowser: true, redirects, milliseconds: 15_000, mostBytes: 1_000_000 }

/** Requests a site in our name; where that is refused, once more as a browser would. */
export async function probeSite(outbound: OutboundClient, url: string): Promise<ProbeResult> {
  const first = await tryRequest(outbound, url)
  if (!isRefused(first)) return first
  const second = await tryRequest(outbound, url, browserHeaders)
  return second.failure === null ? second : first
}

/** Whether a browser may get another answer: an error, a wall, or a connection that is closed as soon as we have said who we are. */
const isRefused = ({ blocked, code, failure }: ProbeResult) =>
  blocked || failure === 'closed' || (failure === null && code !== null && code >= 400)

async function tryRequest(
  outbound: OutboundClient,
  url: string,
  headers?: Record<string, string>,
): Promise<ProbeResult> {
  try {
    const response = await outbound.request(url, { ...checkOptions, ...(headers ? { headers } : {}) })
    // What a refusal says is read when it is sent to a browser too, so that a check of such a site takes no more bytes.
    const isPageRead = response.status < 400 || headers !== undefined
    try {
      return {
        ...summarizeHops(response.hops, null),
        failure: null,
        ...(await classifyResponse(url, response, isPageRead)),
      }
    } finally {
      response.close()
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return {
      // Internal addresses stay private.
      ...summarizeHops(error.hops, error.kind === 'refused' ? null : error.address),
      outcome: error.kind === 'no ipv6' || error.kind === 'no http2' ? 'unknown' : 'down',
      blocked: false,
      problem: error.message,
      failure: error.kind,
    }
  }
}

function summarizeHops(
  hops: OutboundHop[],
  address: string | null,
): Pick<ProbeResult, 'code' | 'redirect' | 'ip' | 'tlsExpires'> {
  const [first] = hops
  const last = hops.at(-1)
  return {
    code: last?.status ?? null,
    redirect: hops.length > 1 ? (last?.url ?? null) : null,
    ip: first?.address ?? address,
    tlsExpires: findFirstEnd(hops),
  }
}

/** Returns when the first certificate ends of those that visitors pass under the site's own domain: with www, or after http. */
function findFirstEnd(hops: OutboundHop[]): Date | null {
  const domainOf = ({ url }: OutboundHop) => getRegisteredDomain(url) ?? new URL(url).hostname
  const own = hops.filter((hop) => domainOf(hop) === domainOf(hops[0]!))
  const ends = own.flatMap(({ certificate }) => certificate?.ends ?? [])
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}

async function classifyResponse(
  url: string,
  response: OutboundResponse,
  isPageRead: boolean,
): Promise<Pick<ProbeResult, 'outcome' | 'blocked' | 'problem'>> {
  const { status, headers, hops } = response
  const { replaced, wall } = isPageRead ? await readWithin(url, response) : { replaced: null, wall: null }
  if (replaced) return { outcome: 'down', blocked: false, problem: replaced }
  const blocks = describeBotWall(status, headers, wall)
  if (blocks) return { outcome: 'unknown', blocked: true, problem: blocks }
  if (status < 200 || status >= 400) return { outcome: 'down', blocked: false, problem: describeError(status) }
  const untrusted = hops.find(({ certificate }) => certificate?.problem)?.certificate?.problem ?? null
  return { outcome: 'live', blocked: false, problem: untrusted }
}

function readWithin(url: string, response: OutboundResponse) {
  const timer = setTimeout(() => response.close(), bodyMilliseconds)
  return describePage(url, response).finally(() => clearTimeout(timer))
}

function describeError(status: number): string {
  if (status === 401) return 'Error 401: the site asks for a password'
  if (status === 404) return 'Error 404: there is no such page'
  return `Error ${status}`
}
