import type { IncomingHttpHeaders } from 'node:http'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError, type OutboundHop } from '#integrations/outbound/outbound-problem.ts'

/** The result of one request to a site. */
export type ProbeResult = {
  /** `blocked`: the site answers, but keeps bots out, so whether it is up for people is unknown. */
  outcome: 'live' | 'down' | 'blocked'
  code: number | null
  redirect: string | null
  ip: string | null
  tlsExpires: Date | null
  problem: string | null
}

/** Requests a site like a browser, following redirects, and reads only the headers of the responses. */
export async function probeSite(outbound: OutboundClient, url: string): Promise<ProbeResult> {
  try {
    const response = await outbound.request(url, { anyCertificate: true })
    response.close()
    return {
      ...summarizeHops(response.hops, null),
      ...classifyResponse(response.status, response.headers, response.hops),
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // Internal addresses stay private.
    return {
      ...summarizeHops(error.hops, error.kind === 'refused' ? null : error.address),
      outcome: 'down',
      problem: error.message,
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

function classifyResponse(
  status: number,
  headers: IncomingHttpHeaders,
  hops: OutboundHop[],
): Pick<ProbeResult, 'outcome' | 'problem'> {
  const untrusted = hops.find(({ certificate }) => certificate?.problem)?.certificate?.problem ?? null
  if (status >= 200 && status < 400) return { outcome: 'live', problem: untrusted }
  const wall = detectBotWall(status, headers)
  if (wall) return { outcome: 'blocked', problem: `${wall} blocks automated requests (${status})` }
  return { outcome: 'down', problem: `It answers ${status}` }
}

/** The headers that identify each bot wall. A bare 403 or 503 is the site's own answer. */
const botWalls: readonly (readonly [name: string, marks: (headers: IncomingHttpHeaders) => boolean])[] = [
  ['Cloudflare', (headers) => 'cf-mitigated' in headers || ('cf-ray' in headers && headers.server === 'cloudflare')],
  ['Sucuri', (headers) => 'x-sucuri-id' in headers || 'x-sucuri-block' in headers],
  ['Akamai', ({ server }) => server === 'AkamaiGHost'],
  ['Imperva', (headers) => 'x-iinfo' in headers || headers['x-cdn'] === 'Imperva'],
  ['DataDome', (headers) => 'x-datadome' in headers || headers.server === 'DataDome'],
  ['AWS WAF', (headers) => 'x-amzn-waf-action' in headers],
  ['DDoS-Guard', ({ server }) => server === 'ddos-guard'],
  ['A rate limit', (headers) => 'retry-after' in headers],
]

function detectBotWall(status: number, headers: IncomingHttpHeaders): string | null {
  if (![403, 429, 503].includes(status)) return null
  const [name] = botWalls.find(([, marks]) => marks(headers)) ?? []
  return name ?? (status === 429 ? 'A rate limit' : null)
}
