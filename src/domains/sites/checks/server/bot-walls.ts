import type { IncomingHttpHeaders } from 'node:http'

/**
 * Walls that answer instead of the site; `challenges` at any status, `serves` if the status is a refusal. A page is a challenge by a script
 * or a file that the wall puts into no other page, whatever its status: many are sent as 200.
 */
type BotWall = {
  name: string
  challenges?: (headers: IncomingHttpHeaders) => boolean
  script?: RegExp
  file?: RegExp
  serves?: (headers: IncomingHttpHeaders) => boolean
}

const botWalls: readonly BotWall[] = [
  {
    name: 'Cloudflare',
    challenges: (headers) => 'cf-mitigated' in headers,
    script: /\b_cf_chl_(opt|ctx)\b/,
    serves: (headers) => 'cf-ray' in headers || headers.server === 'cloudflare',
  },
  {
    name: 'Sucuri',
    challenges: (headers) => 'x-sucuri-block' in headers,
    script: /\bsucuri_cloudproxy_js\b/,
    serves: (headers) => 'x-sucuri-id' in headers,
  },
  { name: 'Akamai', serves: ({ server }) => server === 'AkamaiGHost' },
  {
    name: 'Imperva',
    file: /^frame .*\/_Incapsula_Resource\?/,
    serves: (headers) => 'x-iinfo' in headers || headers['x-cdn'] === 'Imperva',
  },
  {
    name: 'DataDome',
    file: /^\w+ https?:\/\/([\w-]+\.)*captcha-delivery\.com\//,
    serves: (headers) => 'x-datadome' in headers || headers.server === 'DataDome',
  },
  { name: 'AWS WAF', challenges: (headers) => 'x-amzn-waf-action' in headers, script: /\bwindow\.gokuProps\s*=/ },
  { name: 'Vercel', challenges: (headers) => headers['x-vercel-mitigated'] === 'challenge' },
  { name: 'HUMAN', file: /^script https?:\/\/captcha\.px-(cdn|cloud)\.net\// },
  { name: 'SiteGround', challenges: (headers) => 'sg-captcha' in headers, file: /^lead .*\/\.well-known\/sgcaptcha\// },
  {
    name: 'DDoS-Guard',
    file: /^script .*\/\.well-known\/ddos-guard\/js-challenge\//,
    serves: ({ server }) => server === 'ddos-guard',
  },
]

/** What the pages are called that ask whether their visitor is a person. */
const challengeTitle =
  /^(just a moment|one moment, please|checking your browser( before accessing .+)?|attention required! \| cloudflare|ddos protection by cloudflare|robot challenge screen|bot verification|verif(y|ying) (that )?you are (a )?human|are you (a )?(human|robot)|human verification|security check|please wait while your request is being verified|making sure you['’]re not a bot!?|waiting for the redirectiron|your access to this (site|service) has been limited( by the site owner)?)( ?(\.\.\.|…|\.|\?))?$/i

/** A page as far as it shows whether it is a challenge. `files` are `script`, `frame` or `lead` (where it sends its visitors) with an address. */
export type ChallengeTraits = { title: string; scripts: string[]; files: string[]; isShort: boolean }

/** The name of the wall whose challenge the page is; '' for one without a name, null if it is a page of the site. */
export function findChallenge({ title, scripts, files, isShort }: ChallengeTraits): string | null {
  const wall = botWalls.find(
    ({ script, file }) => scripts.some((text) => script?.test(text)) || files.some((one) => file?.test(one)),
  )
  if (wall) return wall.name
  return isShort && challengeTitle.test(title.trim()) ? '' : null
}

/** Forbidden, not acceptable, too many requests, withheld for legal reasons. */
const refusals: readonly number[] = [403, 406, 429, 451]

/** Returns what keeps checkers out, as a sentence; null if this is the site's own answer. */
export function describeBotWall(
  status: number,
  headers: IncomingHttpHeaders,
  challenge: string | null = null,
): string | null {
  if (challenge) return `${challenge} blocks automated requests (${status})`
  const isRefusal = refusals.includes(status) || challenge !== null
  const wall = botWalls.find(({ challenges, serves }) => challenges?.(headers) || (isRefusal && serves?.(headers)))
  if (!wall && !isRefusal) return null
  if (!wall && status !== 429) return `Keeps checkers out (${status})`
  return `${wall?.name ?? 'A rate limit'} blocks automated requests (${status})`
}
