import { endSentence } from '#contract/end-sentence.ts'

/** What a probe of a silent source found, as its evidence has it. */
export type SourceProbe = {
  at: string
  calls: { listed: number; brought_in: number; error: string | null } | null
  site: 'live' | 'offline' | null
  /** An earlier version has not stored what is unclear. */
  listings: { title: string; suspended: boolean; changed: boolean; unclear?: string | null }[]
}

/** A result of a check: fine, wrong, or unknown. */
type SignalCheck = { text: string; isFine: boolean | null }

/** Returns what was checked for a signal, in the order of the checks; a source has those of its last probe. */
export function describeChecks({ probe, brought_in }: Record<string, unknown>): SignalCheck[] {
  if (!isSourceProbe(probe)) return []
  const { calls, site, listings } = probe
  const checks: SignalCheck[] = [
    ...(calls && !brought_in ? [describeCalls(calls)] : []),
    ...(site === null
      ? []
      : [{ text: site === 'live' ? 'The website is up.' : 'The website is down.', isFine: site === 'live' }]),
    ...listings.map(({ title, suspended, changed, unclear }) =>
      suspended
        ? { text: `Google suspended ${endSentence(title)}`, isFine: false }
        : unclear
          ? { text: `${title} ${unclear}.`, isFine: null }
          : changed
            ? { text: `${title} has changed on Google.`, isFine: null }
            : { text: `${title} is live on Google.`, isFine: true },
    ),
  ]
  // Listings of one campaign may have the same name.
  return [...new Map(checks.map((check) => [check.text, check])).values()]
}

const describeCalls = ({ error }: NonNullable<SourceProbe['calls']>): SignalCheck =>
  error
    ? { text: `Couldn’t reach CallRail: ${error}`, isFine: null }
    : { text: 'CallRail has no other calls either.', isFine: true }

const isSourceProbe = (value: unknown): value is SourceProbe =>
  typeof value === 'object' && value !== null && 'listings' in value && Array.isArray(value.listings)
