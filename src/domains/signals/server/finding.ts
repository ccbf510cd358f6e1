import { countOf } from '#contract/count-of.ts'
import type { LostLeads } from '../describe-lost-leads.ts'
import type { SignalKind, SignalSeverity, SignalSubjectType } from '../labels.ts'
import type { SignalFacts } from './facts.ts'

/** `says` is a sentence for users, the rest are its numbers. */
export type SignalEvidence = { says: string } & Record<string, unknown>

export type SubjectKey = { kind: SignalKind; type: SignalSubjectType; id: number | string }

/** A problem at an instant. Findings of the same kind and subject are the same signal. */
export type SignalFinding = {
  kind: SignalKind
  severity: SignalSeverity
  subject: { type: SignalSubjectType; id: number | string; label: string }
  campaign_id: number | null
  title: string
  evidence: SignalEvidence
  expected_lost?: LostLeads | null
  /** A cause already known, as a probe would find it. */
  found?: FoundCause
  /** Grows when the problem becomes worse: its messages are sent again. */
  stage?: number
  /** The signal that explains this one and stands for it in messages, if it is open. */
  parent?: SubjectKey
}

type FoundCause = { kind: SignalKind; title: string; says: string; brought_in: number }

/** The cause of a silent source whose leads are in another list, as calls, forms or texts: its hooks do not arrive. */
export const foundLostHooks = (host: string, count: number): FoundCause => ({
  kind: 'hooks_lost',
  title: `CallRail stopped sending us leads for ${host}`,
  says: `We fetched ${countOf(count, 'lead')} CallRail didn’t send. ${count === 1 ? 'It was not' : 'None were'} lost; fix the webhook.`,
  brought_in: count,
})

/** Returns what another program says, to be part of a sentence of ours, which has its own full stop. */
export const withoutStop = (text: string) => text.trim().replace(/\.$/, '')
export const addReason = (reason: string | null) => (reason ? `: ${withoutStop(reason)}` : '')

/** A pure function: the same facts give the same findings. */
export type SignalDetector = {
  kinds: readonly SignalKind[]
  detect: (facts: SignalFacts, asOf: Date) => SignalFinding[]
}

export const formatSubjectKey = ({ kind, type, id }: SubjectKey): string => `${kind} ${type} ${id}`

/** Returns the 80% range of lost leads: a negative binomial's, approximated as a normal, minus the leads that came. */
export function toLostRange(expected: number, shape: number, came = 0): LostLeads {
  const spread = 1.2816 * Math.sqrt(expected + expected ** 2 / Math.max(shape, 1))
  const [low, mid, high] = [expected - spread, expected, expected + spread].map((count) =>
    round1(Math.max(0, count - came)),
  ) as [number, number, number] // one for each
  return { low, mid, high }
}
export const round1 = (value: number) => Math.round(value * 10) / 10
/** Formats a length of time in its largest unit that still counts at least two: `3 days`, `47 hours`. */
export function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  if (minutes < 120) return countOf(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? countOf(hours, 'hour') : countOf(Math.floor(hours / 24), 'day')
}

/** How a signal closes. `isUnwatched`: not because it was mended, but because its campaign was archived. */
export type SignalClosing = { evidence: SignalEvidence; isUnwatched: boolean }
