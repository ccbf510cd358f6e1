import { countOf } from '#contract/count-of.ts'
import { addDays, msPerDay } from '#contract/days.ts'
import { formatDueDay } from '#contract/short-times.ts'
import { toWallClock } from '#core/time/local-time.ts'
import type { SignalFacts, SilentSource } from '../facts.ts'
import {
  formatDuration,
  foundLostHooks,
  round1,
  type SignalDetector,
  type SignalFinding,
  toLostRange,
} from '../finding.ts'

type QuietAgency = NonNullable<SignalFacts['quiet']>

/** A silence that opened up to this long before the agency's quiet spell belongs to it. */
const spellLeadMs = msPerDay

export const silenceDetector: SignalDetector = {
  kinds: ['source_silent', 'all_quiet'],
  detect: ({ sources, quiet, timeZone }, asOf) => {
    const everything = quiet ? [toQuietFinding(quiet, timeZone, asOf)] : []
    const isOfSpell = ({ opened_at, last_lead_at }: SilentSource) =>
      quiet !== null &&
      (opened_at?.getTime() ?? Number.POSITIVE_INFINITY) >= quiet.opened_at - spellLeadMs &&
      last_lead_at >= quiet.opened_at - 7 * spellLeadMs
    return [
      ...everything,
      ...sources.map((source): SignalFinding => {
        const finding = toSourceFinding(source, asOf)
        if (source.is_offline)
          return { ...finding, parent: { kind: 'site_offline', type: 'client_site', id: source.site_id } }
        if (isOfSpell(source)) return { ...finding, parent: { kind: 'all_quiet', type: 'agency', id: 0 } }
        return finding
      }),
    ]
  },
}

function toQuietFinding(
  { opened_at, found, total, campaign_ids }: QuietAgency,
  timeZone: string,
  asOf: Date,
): SignalFinding {
  const came = found.came === 0 ? 'No leads' : `Only ${countOf(found.came, 'lead')}`
  return {
    kind: 'all_quiet',
    severity: 'severe',
    subject: { type: 'agency', id: 0, label: 'Agency' },
    campaign_id: null,
    title: 'Almost no leads agency-wide',
    evidence: {
      says: `${came} by ${describeMoment(new Date(opened_at), timeZone, asOf)}, across all campaigns. Usually about ${Math.max(1, Math.round(found.expected))}.`,
      since: new Date(opened_at).toISOString(),
      expected: round1(found.expected),
      came: found.came,
      chance: Number(found.chance.toPrecision(3)),
      once_in: toOnceIn(found.chance),
      campaign_ids,
    },
    expected_lost: toLostRange(total.expected, 50, total.came),
  }
}

/** Returns 1,200 for something that happens by chance once in 1,200 times. */
const toOnceIn = (chance: number) => (chance > 0 ? Math.round(1 / chance) : null)

/** Formats a time of day and, unless it is today, its day: `noon yesterday`, `15:20 on Wed, Nov 25`. */
function describeMoment(at: Date, timeZone: string, asOf: Date): string {
  const { day, time } = toWallClock(at, timeZone)
  const today = toWallClock(asOf, timeZone).day
  const clock = time.startsWith('12:00') ? 'noon' : time.slice(0, 5)
  if (day === today) return clock
  return day === addDays(today, -1) ? `${clock} yesterday` : `${clock} on ${formatDueDay(day, today)}`
}

const providers: Record<string, { name: string; leads: string; source: string }> = {
  callrail: { name: 'CallRail', leads: 'calls', source: 'site' },
  formidable: { name: 'Formidable', leads: 'form leads', source: 'form' },
  other: { name: 'other sources', leads: 'leads', source: 'site' },
}

function toSourceFinding(source: SilentSource, asOf: Date): SignalFinding {
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
  const { name, leads, source: sender } = providers[provider] ?? { ...providers.other!, name: provider }
  const last = new Date(last_lead_at)
  return {
    kind: 'source_silent',
    severity: 'severe',
    subject: { type: 'source', id, label: `${host} (${name})` },
    campaign_id,
    title: `No ${leads} from ${host}`,
    evidence: {
      says: `No ${leads === 'calls' ? leads : 'leads'} for ${formatDuration(asOf.getTime() - last.getTime())}. This ${sender} normally brings about ${Math.max(1, Math.round(expected))} in that time.`,
      expected: round1(expected),
      chance: Number(chance.toPrecision(3)),
      once_in: toOnceIn(chance),
      last_lead_at: last.toISOString(),
      leads_per_month: round1(leads_per_month),
    },
    // Calls of lost hooks were found in CallRail's own list.
    ...(brought_in > 0 ? { found: foundLostHooks(host, brought_in) } : {}),
    expected_lost: hooks_lost ? null : toLostRange(expected, shape),
  }
}
