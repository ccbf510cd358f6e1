import type { Signal } from '../contract.ts'

/** A signal with the signals that it explains. */
export type SignalFamily = { signal: Signal; children: readonly Signal[] }

export type SignalGroups = { needsYou: SignalFamily[]; handled: SignalFamily[]; closed: SignalFamily[] }

/** Groups signals in their order, each explained one under its parent. A closed signal is always separate. */
export function groupFamilies(signals: readonly Signal[]): SignalFamily[] {
  const parents = new Set(signals.filter(({ closed_at }) => closed_at === null).map(({ id }) => id))
  const isChild = ({ parent_id, closed_at }: Signal) =>
    closed_at === null && parent_id !== null && parents.has(parent_id)
  const byId = new Map(signals.map((signal) => [signal.id, signal]))
  const findTop = (signal: Signal): Signal => (isChild(signal) ? findTop(byId.get(signal.parent_id!)!) : signal)
  const children = Map.groupBy(signals.filter(isChild), (signal) => findTop(signal).id)
  return signals
    .filter((signal) => !isChild(signal))
    .map((signal) => ({ signal, children: children.get(signal.id) ?? [] }))
}

/** Returns the three groups of Home. */
export function groupSignals(signals: readonly Signal[]): SignalGroups {
  const families = groupFamilies(signals)
  const open = families.filter(({ signal }) => signal.closed_at === null)
  return {
    needsYou: open.filter(({ signal }) => !signal.is_handled),
    handled: open.filter(({ signal }) => signal.is_handled),
    closed: families
      .filter(({ signal }) => signal.closed_at !== null)
      .toSorted((a, b) => b.signal.closed_at!.localeCompare(a.signal.closed_at!)),
  }
}
