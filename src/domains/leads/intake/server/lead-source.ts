import { parse } from 'tldts'
import { isUnfilled } from '#contract/empty-text.ts'
import { getUrlParameter, type IncomingLead } from './incoming-lead.ts'

/** The ids that ad platforms add to an address, in the order in which they count. */
const clickIdNames = ['gclid', 'gbraid', 'wbraid', 'msclkid', 'fbclid'] as const
export type ClickIds = Pick<IncomingLead, (typeof clickIdNames)[number]>

type SourceTraces = {
  /** The stated names of the source: 'Google Organic', 'Google My Business', 'Bing Ads' … the most specific first. */
  names: (string | null)[]
  clickIds?: Partial<ClickIds>
  utmSource?: string | null
  utmMedium?: string | null
  utmCampaign?: string | null
  /** What stands beside the first of the names: without UTMs, it says as much as theirs. */
  medium?: string | null
  campaign?: string | null
  referrer?: string | null
}

/** Reads the click ids as a provider sends them, or else from the first of these addresses that has them. */
export function readClickIds(get: (name: string) => string | null, addresses: (string | null)[]): ClickIds {
  const read = (name: string, ...others: string[]) =>
    [name, ...others].map((one) => get(one)).find((id) => id !== null) ??
    addresses.map((address) => getUrlParameter(address, name)).find((id) => id !== null) ??
    null
  return {
    gclid: read('gclid', 'googleclickid', 'hsgoogleclickid'),
    gbraid: read('gbraid'),
    wbraid: read('wbraid'),
    msclkid: read('msclkid'),
    fbclid: read('fbclid', 'facebookclickid', 'hsfacebookclickid'),
  }
}

/**
 * Returns where a lead came from, by the surest trace: a click id, a UTM that names a platform or is paid, what is stated, another UTM, the
 * referrer. A stated source of another platform than the surer trace's is returned beside it.
 */
export function detectTrafficSource(traces: SourceTraces): Pick<IncomingLead, 'source' | 'source_stated'> {
  const { names, referrer = null } = traces
  const utmSource = takeSource(traces.utmSource ?? null)
  const given = names.map(takeSource).filter((name) => name !== null)
  const stated = given.map(matchName).find((found) => found !== null) ?? given[0] ?? null
  const surer = matchClickId(traces) ?? matchTelltaleUtm({ ...traces, utmSource }) ?? matchBeside(traces)
  if (surer !== null)
    return { source: surer, source_stated: stated === null || isSamePlatform(stated, surer) ? null : stated }
  const other = utmSource === null ? null : (matchName(utmSource) ?? utmSource)
  return { source: stated ?? other ?? matchReferrer(referrer), source_stated: null }
}

/** Returns what stands in a field for a source, decoded; null for the words and templates that say there is none. */
function takeSource(text: string | null): string | null {
  const source = text === null ? '' : decodeTrace(text)
  return source === '' || noSource.test(source) || isUnfilled(source) ? null : source
}

/** Some senders encode a value twice. */
function decodeTrace(text: string): string {
  try {
    return decodeURIComponent(text).trim()
  } catch {
    return text.trim()
  }
}

function matchClickId({ clickIds = {}, referrer = null }: SourceTraces): string | null {
  const name = clickIdNames.find((one) => clickIds[one])
  if (name === undefined) return null
  if (name === 'msclkid') return 'Bing Paid'
  if (name !== 'fbclid') return 'Google Paid'
  return matchReferrer(referrer) === 'Instagram' ? 'Instagram' : 'Facebook'
}

/** Google's business profile is tagged by hand, mostly as `utm_source=google&utm_medium=organic&utm_campaign=gbp`. */
const mapsSources = /^(?:google)?(?:mybusiness|gmb|gbp|businessprofile|googlebusiness|maps?)(?:listing|profile)?$/
const mapsCampaigns = /^(?:google)?(?:gbp|gmb|maps?|locallistings?|mybusiness|businessprofile)(?:listing|profile)?$/
/** As Google Analytics groups them. */
const paidMedium =
  /(?:^|[^a-z])(?:cp[acmv]|ppc|sem|paid|ads?|display|banner|retargeting|remarketing|pmax)(?![a-z])|^(?:paid|cpc|ppc)/i
/** How analytics write that there is none. */
const noSource = /^(?:\((?:direct|none|not set|not provided)\)|none|not set)$/i

function matchTelltaleUtm({ utmSource = null, utmMedium, utmCampaign }: SourceTraces): string | null {
  const [source, campaign] = [toLetters(utmSource ?? ''), toLetters(utmCampaign ?? '')]
  if (mapsSources.test(source) || mapsCampaigns.test(campaign)) return 'Google Maps'
  if (utmSource === null) return null
  if (/^google/.test(source) && matchName(utmMedium ?? '') === 'Google Local Services Ads')
    return 'Google Local Services Ads'
  if (/^google/.test(source) && isMapsLabel(utmMedium, utmCampaign)) return 'Google Maps'
  if (paidMedium.test(utmMedium ?? '')) return matchName(`${utmSource} paid`) ?? utmSource
  const named = matchName(utmSource)
  return named === 'Google Organic' ? null : named
}

function matchBeside({ names, medium, campaign, utmSource }: SourceTraces): string | null {
  const source = takeSource(names[0] ?? null)
  if (takeSource(utmSource ?? null) !== null || source === null || !(medium ?? campaign)) return null
  const utmCampaign = matchName(source) === 'Google Organic' ? campaign : null // an ad's may be called Maps as well
  return matchTelltaleUtm({ names, utmSource: source, utmMedium: medium, utmCampaign })
}

/** `gmb-austin`, `GBP Website Button`: of an organic visit from Google. */
const isMapsLabel = (medium: string | null = null, campaign: string | null = null) =>
  !paidMedium.test(medium ?? '') &&
  (mapsCampaigns.test(toLetters(medium ?? '')) ||
    /(?:^|[^a-z])(?:gmb|gbp|my ?business)(?![a-z])/i.test(`${medium} ${campaign}`))

const toLetters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
const isSamePlatform = (one: string, other: string) => toPlatform(one) === toPlatform(other)
/** `Google Maps` and `Google Paid` are Google. */
const toPlatform = (source: string) => /^\S*/.exec(source.toLowerCase())![0]

/** The order matters: 'Google Ads Local Services' is not a regular ad, 'Google My Business' not an organic visit. */
const sourcePatterns: [string, RegExp][] = [
  [
    'Google Local Services Ads',
    /local service(?!s? (?:director|flyer|magazine|guide|near\b|newspaper|mailer|postcard|brochure|bulletin))|google (guaranteed?|screened)|\blsa\b|\bglsa?\b/i,
  ],
  [
    'Google Maps',
    /google.*(my ?business|business profile|\bmaps?\b|local listings?)|google ?(business|places?)\b(?!.*(\bads?\b|cpc|ppc))|^maps\.google\.|\b(gmb|gbp)\b/i,
  ],
  ['Instagram', /instagram|^ig( paid)?$/i],
  ['Facebook', /facebook|\bfb\b|\bmeta\b/i],
  ['Gemini', /^gemini(\.google\.com)?( paid)?$/i],
  [
    'Google Paid',
    /google.*(paid|\bads?\b|adwords|cpc|ppc|pay[ -]per[ -]click|\bp ?max\b|performance max|display|remarketing|retargeting|call[ -]?(extensions?|only))|google ?ads?\b|adwords/i,
  ],
  ['Google Organic', /google/i],
  [
    'Bing Paid',
    /\b(bing|msn|microsoft(?! copilot)) ?ads?\b|\b(bing|msn|microsoft(?! copilot))\b.*(paid|\bads?\b|cpc|ppc)/i,
  ],
  ['Bing Organic', /\bbing\b/i],
  ['DuckDuckGo Paid', /duckduckgo.*(paid|\bads?\b|cpc|ppc)/i],
  ['DuckDuckGo Organic', /duckduckgo/i],
  ['Yahoo Paid', /\byahoo\b.*(paid|\bads?\b|cpc|ppc)/i],
  ['Yahoo Organic', /\byahoo\b/i],
  ['Ecosia Paid', /\becosia\b.*(paid|\bads?\b|cpc|ppc)/i],
  ['Ecosia Organic', /\becosia\b/i],
  ['Nextdoor', /\bnext ?door\b/i],
  ['Yelp', /\byelp\b/i],
  ['ChatGPT', /^(chatgpt|openai|chat\.openai)(\.com)?( paid)?$/i],
  ['Perplexity', /^perplexity(\.ai)?( paid)?$/i],
  ['Copilot', /^(microsoft )?copilot(\.microsoft\.com)?( paid)?$/i],
  ['Claude', /^claude(\.ai)?( paid)?$/i],
]
const matchName = (name: string): string | null => {
  const words = name
    .slice(0, 255)
    .replace(/%20|[_+]/g, ' ')
    .trim() // as much as is stored
  return sourcePatterns.find(([, pattern]) => pattern.test(words))?.[0] ?? null
}

/** Returns the source of the site that a visitor came from, by its registrable domain: google.com.evil.example is no one's. */
function matchReferrer(referrer: string | null): string | null {
  const written = decodeTrace(referrer ?? '')
  const app = /^android-app:\/\/([\w.]+)/i.exec(written)?.[1]
  if (app !== undefined) return sourceApps.get(app.toLowerCase()) ?? null
  const address = /^[a-z][\w+.-]*:\/\//i.test(written) ? written : `https://${written}`
  if (!URL.canParse(address)) return null
  const { hostname, pathname } = new URL(address)
  const { domain, domainWithoutSuffix: name, publicSuffix, subdomain, isIcann } = parse(hostname)
  if (!domain || !isIcann) return null
  const host = `${subdomain ?? ''}.${domain}`.replace(/^\.|^www\./, '').replace(/^\./, '')
  const isOfCountry = /^(?:com|[a-z]{2}|com?\.[a-z]{2})$/.test(publicSuffix ?? '')
  if (name === 'google' && isOfCountry) return matchGoogle(subdomain ?? '', pathname)
  if (name === 'yelp' && isOfCountry) return 'Yelp'
  if (name === 'nextdoor' && isOfCountry) return 'Nextdoor'
  if (host === 'maps.app.goo.gl' || host === 'g.page' || (host === 'goo.gl' && /^\/maps\//.test(pathname)))
    return 'Google Maps'
  if (name === 'yahoo') return subdomain === 'mail' ? null : 'Yahoo Organic'
  return sourceHosts.get(host) ?? sourceHosts.get(domain) ?? null
}

function matchGoogle(subdomain: string, path: string): string | null {
  if (subdomain === 'gemini') return 'Gemini'
  if (/^\/localservices(?:\/|$)/.test(path)) return 'Google Local Services Ads'
  if (subdomain === 'maps' || /^\/maps(?:\/|$)/.test(path)) return 'Google Maps'
  // Gmail, documents and the rest are no search.
  return /^(?:|www|m|images|lens|news|search)$/.test(subdomain) ? 'Google Organic' : null
}

/** What Android says of an app that has opened a page. */
const sourceApps: ReadonlyMap<string, string> = new Map([
  ['com.google.android.googlequicksearchbox', 'Google Organic'],
  ['com.google.android.apps.maps', 'Google Maps'],
  ['com.facebook.katana', 'Facebook'],
  ['com.instagram.android', 'Instagram'],
  ['com.nextdoor', 'Nextdoor'],
  ['com.yelp.android', 'Yelp'],
  ['com.openai.chatgpt', 'ChatGPT'],
])

const sourceHosts: ReadonlyMap<string, string> = new Map([
  ['bing.com', 'Bing Organic'],
  ['duckduckgo.com', 'DuckDuckGo Organic'],
  ['ecosia.org', 'Ecosia Organic'],
  ['facebook.com', 'Facebook'],
  ['fb.com', 'Facebook'],
  ['fb.me', 'Facebook'],
  ['instagram.com', 'Instagram'],
  ['chatgpt.com', 'ChatGPT'],
  ['chat.openai.com', 'ChatGPT'],
  ['perplexity.ai', 'Perplexity'],
  ['copilot.microsoft.com', 'Copilot'],
  ['claude.ai', 'Claude'],
])
