import { addDays } from '#contract/days.ts'
import { toWallClock } from '#core/time/local-time.ts'
import type { OpenSignal } from '../../server/store.ts'
import type { SignalWatch } from '../contract.ts'
import { digestHour } from '../labels.ts'

type Watched = Pick<OpenSignal, 'kind' | 'severity' | 'campaign_id'> & {
  /** The campaigns of the signals that it explains and those that share what it is about, if it is not one campaign’s alone. */
  explained_campaigns?: readonly number[]
}

/** The default for signals without a watch: severe ones at once, the rest in the digest. */
const getDefaultWatch = ({ severity }: Watched, timezone: string): SignalWatch => ({
  kind: '*',
  campaign_ids: null,
  channel: 'mail',
  digest: severity === 'severe' ? 'at_once' : 'daily',
  quiet_from: null,
  quiet_until: null,
  timezone,
})

/**
 * Returns the most specific watch: its kind before all kinds, then its campaigns before all campaigns, then one that tells. What several
 * campaigns share is silenced or put off by a watch that names them all, and told at once by one that names any.
 */
export function findWatch(watches: readonly SignalWatch[], signal: Watched, timeZone: string): SignalWatch {
  const rank = ({ kind, campaign_ids }: SignalWatch) => (kind === '*' ? 0 : 2) + (campaign_ids === null ? 0 : 1)
  const { campaign_id, explained_campaigns = [] } = signal
  const campaigns = explained_campaigns.length > 0 || campaign_id === null ? explained_campaigns : [campaign_id]
  const matching = watches.filter(({ kind, campaign_ids, channel, digest, quiet_from }) => {
    if (kind !== '*' && kind !== signal.kind) return false
    if (campaign_ids === null) return true
    const isAtOnce = channel !== 'none' && digest === 'at_once' && quiet_from === null
    const isNamed = (one: number) => campaign_ids.includes(one)
    return isAtOnce ? campaigns.some(isNamed) : campaigns.length > 0 && campaigns.every(isNamed)
  })
  const isSilent = ({ channel }: SignalWatch) => Number(channel === 'none')
  const [best] = matching.toSorted((a, b) => rank(b) - rank(a) || isSilent(a) - isSilent(b))
  return best ?? getDefaultWatch(signal, timeZone)
}

/** Whether messages are held back now, in the watch's time zone. Quiet hours may cross midnight. */
export function isQuietNow({ quiet_from: from, quiet_until: until, timezone }: SignalWatch, now: Date): boolean {
  if (from === null || until === null) return false
  const time = toWallClock(now, timezone).time.slice(0, 5)
  return from <= until ? time >= from && time < until : time >= from || time < until
}

/** Returns the watch for a task: it goes by that for overdue ones. */
export const findTaskWatch = (
  watches: readonly SignalWatch[],
  { campaign_id }: Pick<Watched, 'campaign_id'>,
  timeZone: string,
) => findWatch(watches, { kind: 'task_overdue', severity: 'note', campaign_id }, timeZone)

/** Returns the watch whose time zone and quiet hours apply to the digest: the widest daily one. */
export function findDigestClock(watches: readonly SignalWatch[], timeZone: string): SignalWatch {
  const daily = watches.filter(({ digest, channel }) => digest === 'daily' && channel !== 'none')
  return (
    daily.find(({ kind }) => kind === '*') ??
    daily[0] ??
    getDefaultWatch({ kind: 'link_lost', severity: 'note', campaign_id: null }, timeZone)
  )
}

/**
 * Returns the local day whose digest may be sent now; null before the hour of the digest, and in quiet hours. A digest held back until
 * midnight is sent when they end.
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
