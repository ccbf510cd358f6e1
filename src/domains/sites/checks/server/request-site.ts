import type { IncomingHttpHeaders } from 'node:http'
import type { Outbound } from '#integrations/outbound/outbound.ts'
import { type Hop, OutboundProblem } from '#integrations/outbound/outbound-problem.ts'

/** What one visit to a site found. */
export type Sighting = {
  /** `blocked`: it answers, and keeps programs out; whether people get in is not known. */
  outcome: 'live' | 'down' | 'blocked'
  code: number | null
  redirect: string | null
  ip: string | null
  tlsExpires: Date | null
  problem: string | null
}

/** Asks a site as a browser would, redirects included, and reads nothing but the heads of its answers. */
export async function look(outbound: Outbound, url: string, signal?: AbortSignal): Promise<Sighting> {
  try {
    const heard = await outbound.request(url, { anyCertificate: true, ...(signal ? { signal } : {}) })
    heard.close()
    return { ...seen(heard.hops, null), ...judged(heard.status, heard.headers, heard.hops) }
  } catch (error) {
    if (!(error instanceof OutboundProblem)) throw error
    // What a name means inside our own network is nobody's business.
    return {
      ...seen(error.hops, error.kind === 'refused' ? null : error.address),
      outcome: 'down',
      problem: error.message,
    }
  }
}

function seen(hops: Hop[], address: string | null): Pick<Sighting, 'code' | 'redirect' | 'ip' | 'tlsExpires'> {
  const [first] = hops
  const last = hops.at(-1)
  return {
    code: last?.status ?? null,
    redirect: hops.length > 1 ? (last?.url ?? null) : null,
    ip: first?.address ?? address,
    tlsExpires: first?.certificate?.ends ?? null,
  }
}

function judged(status: number, headers: IncomingHttpHeaders, hops: Hop[]): Pick<Sighting, 'outcome' | 'problem'> {
  const untrusted = hops.find(({ certificate }) => certificate?.problem)?.certificate?.problem ?? null
  if (status >= 200 && status < 400) return { outcome: 'live', problem: untrusted }
  const wall = wallOf(status, headers)
  if (wall) return { outcome: 'blocked', problem: `${wall} keeps programs out (${status})` }
  return { outcome: 'down', problem: `It answers ${status}` }
}

/** What such walls say of themselves. A bare 403 or 503 is the site's own answer. */
const walls: readonly (readonly [name: string, marks: (headers: IncomingHttpHeaders) => boolean])[] = [
  ['Cloudflare', (headers) => 'cf-mitigated' in headers || ('cf-ray' in headers && headers.server === 'cloudflare')],
  ['Sucuri', (headers) => 'x-sucuri-id' in headers || 'x-sucuri-block' in headers],
  ['Akamai', ({ server }) => server === 'AkamaiGHost'],
  ['Imperva', (headers) => 'x-iinfo' in headers || headers['x-cdn'] === 'Imperva'],
  ['DataDome', (headers) => 'x-datadome' in headers || headers.server === 'DataDome'],
  ['AWS WAF', (headers) => 'x-amzn-waf-action' in headers],
  ['DDoS-Guard', ({ server }) => server === 'ddos-guard'],
  ['A rate limit', (headers) => 'retry-after' in headers],
]

function wallOf(status: number, headers: IncomingHttpHeaders): string | null {
  if (![403, 429, 503].includes(status)) return null
  const [name] = walls.find(([, marks]) => marks(headers)) ?? []
  return name ?? (status === 429 ? 'A rate limit' : null)
}
