import type { Signal } from '../contract.ts'
import { type SignalKind, signalKindLabels } from '../labels.ts'

/** Returns what is wrong and where, for one line: `No calls` and `Roofing in Denver`. */
export function describeSubject({ kind, title, subject, campaign }: Signal): { what: string; where: string | null } {
  // The title of what is shared, or belongs to the agency, says it all.
  if (subject.type === 'agency' || subject.type === 'ip' || subject.type === 'host') return { what: title, where: null }
  return { what: describeKind(kind, String(subject.id)), where: campaign?.name ?? subject.label }
}

function describeKind(kind: SignalKind, subjectId: string): string {
  if (kind !== 'source_silent') return signalKindLabels[kind]
  if (subjectId.endsWith('/formidable')) return 'No form leads'
  return subjectId.endsWith('/callrail') ? 'No calls' : signalKindLabels[kind]
}

/** What several signals of a kind are called, where their label does not do: `9 backlinks lost`. */
const pluralLabels: Partial<Record<SignalKind, string>> = {
  certificate_expiring: 'certificates expiring',
  domain_expiring: 'domains expiring',
  link_lost: 'backlinks lost',
  listing_changed: 'listings edited on Google',
  site_unchecked: 'sites block our checks',
  task_overdue: 'tasks overdue',
}
export const describeMany = (kind: SignalKind, count: number): string =>
  `${count} ${pluralLabels[kind] ?? `× ${signalKindLabels[kind]}`}`

/** Returns how likely chance alone is, for a title; null for a signal that is certain. */
export function describeOdds({ evidence: { once_in, chance, target } }: Signal): string | null {
  if (typeof once_in === 'number')
    return `1 in ${once_in > 1_000_000 ? 'more than a million' : once_in.toLocaleString('en-US', { maximumSignificantDigits: 2 })} by chance`
  return typeof chance === 'number' && typeof target === 'number'
    ? `The chance to reach ${target} is ${Math.round(chance * 100)}%`
    : null
}
