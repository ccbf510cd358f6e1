import type { trafficSources } from '#domains/leads/labels.ts'

type TrafficSource = (typeof trafficSources)[number]
type SourceTraces = {
  /** The provider's names for the source: 'Google Organic', 'Google My Business', 'Bing Ads' … the most specific first. */
  names: (string | null)[]
  gclid: string | null
  utmSource?: string | null
  utmMedium?: string | null
  referrer?: string | null
}

/** Returns which of the six traffic sources a lead came from, or else the provider's own name. */
export function detectTrafficSource({ names, gclid, utmSource, utmMedium, referrer }: SourceTraces): string | null {
  const given = names.filter((name) => name !== null)
  const named = given.map(matchSourceName).find((found) => found !== null)
  if (named) return named
  if (gclid) return 'Google Paid'
  const paid = /cpc|ppc|paid|ads?\b/i.test(utmMedium ?? '')
  const tagged = utmSource ? matchSourceName(paid ? `${utmSource} paid` : utmSource) : null
  if (tagged) return tagged
  return given[0] ?? utmSource ?? matchReferrer(referrer ?? null)
}

/** The order matters: 'Google Ads Local Services' is not a regular ad, 'Google My Business' not an organic visit. */
const sourcePatterns: [TrafficSource, RegExp][] = [
  ['Google Local Services Ads', /local services?|\blsa\b|\bglsa?\b/i],
  ['Google Maps', /google.*(my business|business profile|\bmaps?\b)|\b(gmb|gbp)\b/i],
  ['Instagram', /instagram/i],
  ['Facebook', /facebook|\bfb\b|\bmeta\b/i],
  ['Google Paid', /google.*(paid|\bads?\b|adwords|cpc|ppc)|adwords/i],
  ['Google Organic', /google/i],
]
const matchSourceName = (name: string): TrafficSource | null =>
  sourcePatterns.find(([, pattern]) => pattern.test(name))?.[0] ?? null

/** Returns the source of the site that a visitor came from. */
function matchReferrer(referrer: string | null): TrafficSource | null {
  if (!referrer || !URL.canParse(referrer)) return null
  const host = new URL(referrer).hostname
  return /(^|\.)(google|facebook|instagram)\.[a-z.]+$/i.test(host) ? matchSourceName(host) : null
}
