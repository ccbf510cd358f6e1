import { formatZonedInstant } from '#core/time/local-time.ts'
import type { SignalFacts, SilentSource } from '../facts.ts'
import { countOf, foundLostHooks, round1, type SignalDetector, type SignalFinding, toLostRange } from '../finding.ts'

type QuietAgency = NonNullable<SignalFacts['quiet']>

/** A silence that opened up to this long before the agency's quiet spell belongs to it. */
const spellLeadMs = 24 * 3_600_000

export const silenceDetector: SignalDetector = {
  kinds: ['source_silent', 'all_quiet'],
  detect: ({ sources, quiet, timeZone }, asOf) => {
    const everything = quiet ? [toQuietFinding(quiet, timeZone)] : []
    const isOfSpell = ({ opened_at, last_lead_at }: SilentSource) =>
      quiet !== null &&
      (opened_at?.getTime() ?? Number.POSITIVE_INFINITY) >= quiet.opened_at - spellLeadMs &&
      last_lead_at >= quiet.opened_at - 7 * spellLeadMs
    return [
      ...everything,
      ...sources.map((source): SignalFinding => {
        const finding = toSourceFinding(source, timeZone, asOf)
        if (source.is_offline)
          return { ...finding, parent: { kind: 'site_offline', type: 'client_site', id: source.site_id } }
        if (isOfSpell(source)) return { ...finding, parent: { kind: 'all_quiet', type: 'agency', id: 0 } }
        return finding
      }),
    ]
  },
}

function toQuietFinding({ opened_at, found, total, campaign_ids }: QuietAgency, timeZone: string): SignalFinding {
  const came = found.came === 0 ? 'no lead' : countOf(found.came, 'lead')
  return {
    kind: 'all_quiet',
    severity: 'severe',
    subject: { type: 'agency', id: 0, label: 'Agency' },
    campaign_id: null,
    title: 'Everything is quiet',
    evidence: {
      says: `By ${formatZonedInstant(new Date(opened_at), timeZone)} ${came} had come to the whole agency that day; about ${round1(found.expected)} would be usual. By chance that happens ${formatOdds(found.chance)}.`,
      since: new Date(opened_at).toISOString(),
      expected: round1(found.expected),
      came: found.came,
      chance: Number(found.chance.toPrecision(3)),
      campaign_ids,
    },
    expected_lost: toLostRange(total.expected, 50, total.came),
  }
}

/** Formats how rarely something this unlikely happens. */
function formatOdds(chance: number): string {
  const onceIn = chance > 0 ? Math.round(1 / chance) : Number.POSITIVE_INFINITY
  if (onceIn > 1_000_000) return 'less than once in a million times'
  return `once in ${onceIn.toLocaleString('en-US', { maximumSignificantDigits: 2 })} times`
}

const providerNames: Record<string, string> = { callrail: 'CallRail', formidable: 'Formidable', other: 'other sources' }

function toSourceFinding(source: SilentSource, timeZone: string, asOf: Date): SignalFinding {
  const {
    id,
    host,
    provider,
    campaign_id,
    last_lead_at,
    expected,
    chance,
    leads_per_month,
    shape,
    hooks_lost,
    brought_in,
  } = source
  const label = `${host} (${providerNames[provider] ?? provider})`
  const last = new Date(last_lead_at)
  return {
    kind: 'source_silent',
    severity: 'severe',
    subject: { type: 'source', id, label },
    campaign_id,
    title: `${host} sends nothing through ${providerNames[provider] ?? provider}`,
    evidence: {
      says: `From ${formatZonedInstant(last, timeZone)} to ${formatZonedInstant(asOf, timeZone)}, ${countOf(round1(expected), 'lead')} would be usual; none came. By chance that happens ${formatOdds(chance)}.`,
      expected: round1(expected),
      chance: Number(chance.toPrecision(3)),
      once_in: chance > 0 ? Math.round(1 / chance) : null,
      last_lead_at: last.toISOString(),
      leads_per_month: round1(leads_per_month),
    },
    // Calls of lost hooks were found in CallRail's own list.
    ...(brought_in > 0 ? { found: foundLostHooks(label, brought_in) } : {}),
    expected_lost: hooks_lost ? null : toLostRange(expected, shape),
  }
}
