import { msPerDay } from '#contract/days.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { type Signal, signalsContract } from '#domains/signals/contract.ts'
import { type SignalKind, signalKindLabels } from '#domains/signals/labels.ts'
import { formatAge, getSignalStart } from '#domains/signals/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'

/** Reads the campaign's open signals; none for users who may not read signals. */
export function useOpenSignals(me: CurrentUserDto, campaignId: number) {
  const isAllowed = signalsContract.list.allow(me)
  const query = { state: 'open' as const, campaign_id: campaignId, page: 1, per_page: 200 }
  const { data, error, refetch } = useApi(signalsContract.list, { query }, { enabled: isAllowed, quiet: true })
  return { isAllowed, signals: data?.data, error, retry: refetch }
}

/** What keeps leads away, or keeps Leadline from counting them. */
const leadStoppers: ReadonlySet<SignalKind> = new Set([
  'source_silent',
  'hooks_lost',
  'all_quiet',
  'leadline_offline',
  'site_offline',
  'listing_suspended',
  'listing_changed',
  'redirect_broken',
  'link_lost',
  'events_quarantined',
  'rule_hides_good_leads',
])

/** A forecast rests on the leads of some weeks, so what began later than this is hardly in it. */
const unseenDays = 28

/** Names the open signals that a forecast cannot know of yet; null if there are none. */
export function describeUnseen(signals: readonly Signal[], now = Date.now()): string | null {
  const unseen = new Map<string, Signal>()
  for (const signal of signals) {
    const age = now - Date.parse(getSignalStart(signal))
    // Of a kind the newest: it is the one that the forecast knows the least of.
    const known = unseen.get(signal.kind)
    if (leadStoppers.has(signal.kind) && age < unseenDays * msPerDay)
      if (!known || getSignalStart(known) < getSignalStart(signal)) unseen.set(signal.kind, signal)
  }
  if (unseen.size === 0) return null
  const named = [...unseen.values()].map(
    (signal) => `${lowerFirst(signalKindLabels[signal.kind])} ${formatAge(getSignalStart(signal), now)} ago`,
  )
  return `Not in this forecast yet: ${named.join(', ')}.`
}

const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)
