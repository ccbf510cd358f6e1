import type { IncomingHttpHeaders } from 'node:http'

/** Walls that answer instead of the site; `challenges` at any status, `serves` if the status is a refusal. */
type BotWall = {
  name: string
  challenges?: (headers: IncomingHttpHeaders) => boolean
  serves?: (headers: IncomingHttpHeaders) => boolean
}

const botWalls: readonly BotWall[] = [
  {
    name: 'Cloudflare',
    challenges: (headers) => 'cf-mitigated' in headers,
    serves: (headers) => 'cf-ray' in headers || headers.server === 'cloudflare',
  },
  {
    name: 'Sucuri',
    challenges: (headers) => 'x-sucuri-block' in headers,
    serves: (headers) => 'x-sucuri-id' in headers,
  },
  { name: 'Akamai', serves: ({ server }) => server === 'AkamaiGHost' },
  { name: 'Imperva', serves: (headers) => 'x-iinfo' in headers || headers['x-cdn'] === 'Imperva' },
  { name: 'DataDome', serves: (headers) => 'x-datadome' in headers || headers.server === 'DataDome' },
  { name: 'AWS WAF', challenges: (headers) => 'x-amzn-waf-action' in headers },
  { name: 'SiteGround', challenges: (headers) => 'sg-captcha' in headers },
  { name: 'DDoS-Guard', serves: ({ server }) => server === 'ddos-guard' },
]

/** Forbidden, not acceptable, too many requests, withheld for legal reasons. */
const refusals: readonly number[] = [403, 406, 429, 451]

/** Returns what keeps checkers out, as a sentence; null if this is the site's own answer. */
export function describeBotWall(status: number, headers: IncomingHttpHeaders): string | null {
  const isRefusal = refusals.includes(status)
  const wall = botWalls.find(({ challenges, serves }) => challenges?.(headers) || (isRefusal && serves?.(headers)))
  if (!wall && !isRefusal) return null
  if (!wall && status !== 429) return `It keeps checkers out (${status})`
  return `${wall?.name ?? 'A rate limit'} blocks automated requests (${status})`
}
