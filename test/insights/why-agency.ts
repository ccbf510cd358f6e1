import { SeededRandom } from './random.ts'
import { siteless, type WhyKind, type WhyWorld, type WorldEvent, whyKinds } from './why-world.ts'

/**
 * Synthetic agencies in which the reason why a campaign fell behind is known. Written from the specification of the back-tests, not from the
 * model: one planted cause or none, among events that changed nothing.
 */

const dayMs = 86_400_000
const firstDay = Date.UTC(2025, 0, 6) // a Monday
const historyDays = 200
const windowDays = 75

export type WhyTraits = {
  campaigns: number
  /** Gamma shape of a campaign's days: lower is rougher. */
  dayShape?: number
  /** Leads a day of the smallest campaigns; the largest have 3.7 times as many. */
  rate?: number
  /** How much rates wander from day to day. */
  drift?: number
  season?: number
}

/** Half of the campaigns have a cause. */
export function makeWhyAgency(seed: number, traits: WhyTraits): WhyWorld {
  const random = new SeededRandom(seed)
  const lines: string[] = []
  const planted: WhyWorld['planted'] = new Map()
  const write = (fact: object) => lines.push(JSON.stringify(fact))
  const iso = (at: number) => new Date(Math.floor(at)).toISOString()
  const start = firstDay + historyDays * dayMs
  const end = start + windowDays * dayMs
  const seasons = ['Roofing', 'Plumbing', 'HVAC'].map(() => ({
    swing: (traits.season ?? 0.25) * random.next(),
    peak: 365 * random.next(),
  }))
  let leadId = 0
  for (let campaign = 1; campaign <= traits.campaigns; campaign++) {
    const trade = Math.floor(random.next() * 3)
    const sites = Array.from({ length: 1 + Math.floor(random.next() * 3) }, (_, index) => campaign * 10 + index)
    const rate = (traits.rate ?? 2) * Math.exp(1.3 * random.next())
    const channels: [string, number][] = [
      ['Google Organic', 0.3 + random.next()],
      ['Google Maps', 0.3 + random.next()],
      ['Google Ads', 0.4 * random.next()],
      ['Direct', 0.3 * random.next()],
    ]
    const sum = channels.reduce((total, [, weight]) => total + weight, 0)
    const calls = 0.4 + 0.4 * random.next()
    const share = 0.45 + 0.35 * random.next()
    write({
      kind: 'campaign',
      id: campaign,
      category: ['Roofing', 'Plumbing', 'HVAC'][trade],
      timezone: 'UTC',
      start_date: '2025-01-06',
      due_date: 1,
      target: 30,
    })
    for (const site of sites) write({ kind: 'source', id: `${site}/callrail`, campaign, site })
    const makeEvent = (event: WhyKind, at: number): WorldEvent => ({
      event,
      site: siteless.has(event) ? null : random.pick(sites),
      at,
      until: event === 'site_offline' ? at + (2 + 20 * random.next()) * dayMs : null,
      title: event === 'keyword_added' ? `word ${Math.floor(random.next() * 1e6)}` : event,
    })
    const someDay = () => start + (5 + random.next() * (windowDays - 20)) * dayMs
    const decoys = Array.from({ length: 4 }, () => makeEvent(random.pick(whyKinds), someDay()))
    const cause = campaign % 2 === 0 ? makeEvent(random.pick(whyKinds), someDay()) : null
    const strength = 0.5 + 0.5 * random.next()
    let [lost, exposed, drift] = [0, 0, 0]
    for (let day = 0; day < historyDays + windowDays; day++) {
      drift = 0.98 * drift + (traits.drift ?? 0.02) * random.normal()
      const season = 1 + seasons[trade]!.swing * Math.sin((2 * Math.PI * (day - seasons[trade]!.peak)) / 365)
      const mean =
        rate *
        [1.15, 1.1, 1.1, 1.05, 1.05, 0.55, 0.4][day % 7]! *
        season *
        Math.exp(drift) *
        random.gamma(traits.dayShape ?? 8)
      for (let count = random.poisson(mean); count > 0; count--) {
        const at = firstDay + (day + 0.3 + 0.5 * random.next()) * dayMs
        const channel = pickWeighted(channels, random.next() * sum)
        const site = random.pick(sites)
        const type = random.next() < calls ? 'Call' : 'Form'
        const decided = at + random.gamma(1.3) * 2 * dayMs
        const isGood = random.next() < share
        let hiddenBy = random.next() < 0.03 ? 'viagra' : null
        let isMissed = type === 'Call' && random.next() < 0.08
        if (cause && at >= cause.at && (cause.until === null || at < cause.until)) {
          const isWeb = type === 'Form' || channel !== 'Google Maps'
          const isTouched = {
            site_offline: site === cause.site && isWeb,
            listing_suspended: site === cause.site && channel === 'Google Maps',
            keyword_added: hiddenBy === null,
            hours_edited: type === 'Call' && !isMissed,
            link_lost: site === cause.site && channel === 'Google Organic',
            redirect_broken: site === cause.site && channel === 'Google Organic',
            note: true,
          }[cause.event]
          const power = cause.event === 'site_offline' || cause.event === 'listing_suspended' ? 0.95 : strength
          const isCounted = isTouched && isGood && hiddenBy === null && !isMissed && decided < end
          if (isCounted) exposed++
          if (isTouched && random.next() < power) {
            if (isCounted) lost++
            if (cause.event === 'keyword_added') hiddenBy = cause.title
            else if (cause.event === 'hours_edited') isMissed = true
            else continue
          }
        }
        const isVerified = isGood && hiddenBy === null && !isMissed && decided < end
        write({
          kind: 'lead',
          id: ++leadId,
          campaign,
          source: `${site}/callrail`,
          type,
          channel,
          at: iso(at),
          verified_at: isVerified ? iso(decided) : null,
          hidden_by: hiddenBy,
          missed: isMissed,
        })
      }
    }
    for (const { event, site, at, until, title } of [...decoys, ...(cause ? [cause] : [])].sort((a, b) => a.at - b.at))
      write({ kind: 'event', campaign, site, event, at: iso(at), until: until && iso(until), title })
    const deviations = lost / Math.sqrt(Math.max(1, exposed))
    planted.set(campaign, cause ? [{ event: cause.event, at: iso(cause.at), lost, deviations }] : [])
  }
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { lines, from: day(start), to: day(end - dayMs), planted }
}

function pickWeighted(weighted: readonly [string, number][], position: number): string {
  let left = position
  for (const [name, weight] of weighted) {
    left -= weight
    if (left <= 0) return name
  }
  return 'Direct'
}
