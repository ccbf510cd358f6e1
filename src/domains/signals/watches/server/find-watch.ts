import { addDays } from '#contract/days.ts'
import { toWallClock } from '#core/time/local-time.ts'
import type { OpenSignal } from '../../server/store.ts'
import type { SignalWatch } from '../contract.ts'
import { digestHour } from '../labels.ts'

type Watched = Pick<OpenSignal, 'kind' | 'severity' | 'campaign_id'>

/** What holds where a person has said nothing: severe signals at once, the rest in the digest. */
const getDefaultWatch = ({ severity }: Watched, timezone: string): SignalWatch => ({
  kind: '*',
  campaign_ids: null,
  channel: 'mail',
  digest: severity === 'severe' ? 'at_once' : 'daily',
  quiet_from: null,
  quiet_until: null,
  timezone,
})

/** The most particular watch: its kind before all kinds, then its campaigns before all campaigns. */
export function findWatch(watches: readonly SignalWatch[], signal: Watched, timeZone: string): SignalWatch {
  const rank = ({ kind, campaign_ids }: SignalWatch) => (kind === '*' ? 0 : 2) + (campaign_ids === null ? 0 : 1)
  const matching = watches.filter(
    ({ kind, campaign_ids }) =>
      (kind === '*' || kind === signal.kind) &&
      (campaign_ids === null || (signal.campaign_id !== null && campaign_ids.includes(signal.campaign_id))),
  )
  const [best] = matching.toSorted((a, b) => rank(b) - rank(a))
  return best ?? getDefaultWatch(signal, timeZone)
}

/** Whether messages are held back now, by the clocks of the watch. Quiet hours may go over midnight. */
export function isQuietNow({ quiet_from: from, quiet_until: until, timezone }: SignalWatch, now: Date): boolean {
  if (from === null || until === null) return false
  const time = toWallClock(now, timezone).time.slice(0, 5)
  return from <= until ? time >= from && time < until : time >= from || time < until
}

/** The watch by whose clocks the digest goes out: the widest daily one; its zone is where the person lives. */
export function findDigestClock(watches: readonly SignalWatch[], timeZone: string): SignalWatch {
  const daily = watches.filter(({ digest }) => digest === 'daily')
  return (
    daily.find(({ kind }) => kind === '*') ??
    daily[0] ??
    getDefaultWatch({ kind: 'link_lost', severity: 'note', campaign_id: null }, timeZone)
  )
}

/**
 * The local day whose digest may go out now; null before the hour of the digest, and in quiet hours. One that was held back until
 * midnight goes out when they end.
 */
export function getDigestDay(watch: SignalWatch, now: Date): string | null {
  if (isQuietNow(watch, now)) return null
  const { day, time } = toWallClock(now, watch.timezone)
  if (time.slice(0, 5) >= digestTime) return day
  return isQuietUntilMidnight(watch) ? addDays(day, -1) : null
}

const digestTime = `${String(digestHour).padStart(2, '0')}:00`
/** Whether quiet hours leave no time between the hour of the digest and midnight. */
const isQuietUntilMidnight = ({ quiet_from: from, quiet_until: until }: SignalWatch) =>
  from !== null && until !== null && from <= digestTime && until < from
