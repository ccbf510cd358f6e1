import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError, type OutboundErrorKind, type OutboundHop } from '#integrations/outbound/outbound-problem.ts'
import type { OutboundResponse } from '#integrations/outbound/response.ts'
import { describeBotWall } from './bot-walls.ts'
import { describeReplacedPage } from './replaced-page.ts'

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

/** What Chrome on Windows sends with an address that was typed. */
const browserHeaders = {
  connection: 'keep-alive',
  'sec-ch-ua': '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'upgrade-insecure-requests': '1',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
}

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
    try {
      return { ...summarizeHops(response.hops, null), failure: null, ...(await classifyResponse(url, response)) }
    } finally {
      response.close()
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return {
      // Internal addresses stay private.
      ...summarizeHops(error.hops, error.kind === 'refused' ? null : error.address),
      outcome: error.kind === 'no ipv6' ? 'unknown' : 'down',
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
    tlsExpires: first?.certificate?.ends ?? null,
  }
}

async function classifyResponse(
  url: string,
  response: OutboundResponse,
): Promise<Pick<ProbeResult, 'outcome' | 'blocked' | 'problem'>> {
  const { status, headers, hops } = response
  const timer = setTimeout(() => response.close(), bodyMilliseconds)
  const replaced = await describeReplacedPage(url, response).finally(() => clearTimeout(timer))
  if (replaced) return { outcome: 'down', blocked: false, problem: replaced }
  const wall = describeBotWall(status, headers)
  if (wall) return { outcome: 'unknown', blocked: true, problem: wall }
  if (status < 200 || status >= 400) return { outcome: 'down', blocked: false, problem: describeError(status) }
  const untrusted = hops.find(({ certificate }) => certificate?.problem)?.certificate?.problem ?? null
  return { outcome: 'live', blocked: false, problem: untrusted }
}

function describeError(status: number): string {
  if (status === 401) return 'It answers 401: it asks for a password'
  if (status === 404) return 'It answers 404: there is no such page'
  return `It answers ${status}`
}
