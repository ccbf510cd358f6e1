import { formatZonedInstant } from '#core/time/local-time.ts'
import type { SilentSource } from '../facts.ts'
import { countOf, foundLostHooks, round1, type SignalDetector, type SignalFinding, toLostRange } from '../finding.ts'

/** A silence that opened up to this long before the agency's quiet spell belongs to it. */
const spellLeadMs = 24 * 3_600_000

export const silenceDetector: SignalDetector = {
  kinds: ['source_silent', 'all_quiet'],
  detect: ({ sources, quiet, timeZone }, asOf) => {
    const everything: SignalFinding[] = quiet
      ? [
          {
            kind: 'all_quiet',
            severity: 'severe',
            subject: { type: 'agency', id: 0, label: 'Agency' },
            campaign_id: null,
            title: 'Everything is quiet',
            evidence: {
              says: `Next to nothing came to the whole agency from ${formatZonedInstant(quiet.since, timeZone)} to ${formatZonedInstant(asOf, timeZone)}; about ${countOf(round1(quiet.expected), 'lead')} were expected.`,
              since: quiet.since.toISOString(),
              expected: round1(quiet.expected),
            },
            expected_lost: toLostRange(quiet.expected, 50),
          },
        ]
      : []
    const isOfSpell = ({ opened_at, last_lead_at }: SilentSource) =>
      quiet !== null &&
      (opened_at?.getTime() ?? Number.POSITIVE_INFINITY) >= quiet.since.getTime() - spellLeadMs &&
      last_lead_at >= quiet.since.getTime() - 7 * spellLeadMs
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
  const onceIn = chance > 0 ? Math.round(1 / chance) : null
  const odds =
    onceIn === null || onceIn > 1_000_000
      ? 'less than once in a million times'
      : `once in ${onceIn.toLocaleString('en-US', { maximumSignificantDigits: 2 })} times`
  return {
    kind: 'source_silent',
    severity: 'severe',
    subject: { type: 'source', id, label },
    campaign_id,
    title: `${host} sends nothing through ${providerNames[provider] ?? provider}`,
    evidence: {
      says: `From ${formatZonedInstant(last, timeZone)} to ${formatZonedInstant(asOf, timeZone)}, ${countOf(round1(expected), 'lead')} would be usual; none came. By chance that happens ${odds}.`,
      expected: round1(expected),
      chance: Number(chance.toPrecision(3)),
      once_in: onceIn,
      last_lead_at: last.toISOString(),
      leads_per_month: round1(leads_per_month),
    },
    // Calls of lost hooks were found in CallRail's own list.
    ...(brought_in > 0 ? { found: foundLostHooks(label, brought_in) } : {}),
    expected_lost: hooks_lost ? null : toLostRange(expected, shape),
  }
}
