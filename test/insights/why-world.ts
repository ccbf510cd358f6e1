import { SeededRandom } from './random.ts'

/**
 * Agencies in which the reason why a campaign fell behind is known. Written from the specification of the back-tests, not from the model:
 * campaigns of 0.5 to 9 leads a day with one or three sites in four zones, rates that wander, days that differ more than by chance, links
 * and redirects that act some days late, notes that touch the campaign, one site or one channel, and causes that overlap.
 */

const dayMs = 86_400_000
const firstDay = Date.UTC(2025, 2, 3) // a Monday
const historyDays = 168
const windowDays = 56
const days = historyDays + windowDays
const whyKinds = [
  'site_offline',
  'listing_suspended',
  'keyword_added',
  'hours_edited',
  'link_lost',
  'redirect_broken',
  'note',
] as const
type WhyKind = (typeof whyKinds)[number]
const zones = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles']
const channelNames = ['Google Organic', 'Google Maps', 'Google Ads', 'Direct', 'Facebook']
const siteless: ReadonlySet<WhyKind> = new Set(['keyword_added', 'hours_edited', 'note'])

type WorldEvent = { event: WhyKind; site: number | null; at: number; until: number | null; title: string }
export type WorldCause = { event: WhyKind; at: string; lost: number; deviations: number }
/** `planted` has each campaign's causes: none, one, or two that overlap. */
export type WhyWorld = { lines: string[]; from: string; to: string; planted: Map<number, WorldCause[]> }
type Lead = { at: number; site: number; type: 'Call' | 'Form'; channel: string }

/** A third of the campaigns have no cause, one in ten has two. `wandering` says how far rates drift and turn without a cause. */
export function makeWhyWorld(
  seed: number,
  { campaigns, wandering = 1 }: { campaigns: number; wandering?: number },
): WhyWorld {
  const random = new SeededRandom(seed)
  const lines: string[] = []
  const write = (fact: object) => lines.push(JSON.stringify(fact))
  const planted: WhyWorld['planted'] = new Map()
  const start = firstDay + historyDays * dayMs
  const end = firstDay + days * dayMs
  const trades = ['Roofing', 'Plumbing', 'HVAC', 'Pest Control'].map((name) => {
    let level = 0
    const course = Array.from({ length: days }, () => {
      level = 0.97 * level + 0.03 * random.normal()
      return level
    })
    const [swing, peak] = [0.35 * random.next(), 365 * random.next()]
    return { name, at: (day: number) => course[day]! + swing * Math.sin((2 * Math.PI * (day - peak)) / 365) }
  })
  let leadId = 0
  for (let campaign = 1; campaign <= campaigns; campaign++) {
    const trade = random.pick(trades)
    const sites = Array.from({ length: random.next() < 0.5 ? 1 : 3 }, (_, index) => campaign * 10 + index)
    const siteWeights = sites.map(() => 0.5 + random.next())
    const channelWeights = channelNames.map(
      (_, index) => (index < 2 ? 0.6 : 0.1) + (index < 2 ? 0.8 : 0.4) * random.next(),
    )
    const callShare = 0.35 + 0.4 * random.next()
    const goodShare = 0.4 + 0.4 * random.next()
    const wander = (0.02 + 0.05 * random.next()) * wandering
    const dayShape = 4 + 10 * random.next()
    write({
      kind: 'campaign',
      id: campaign,
      category: trade.name,
      timezone: random.pick(zones),
      start_date: '2025-03-03',
      due_date: 1 + Math.floor(28 * random.next()),
      target: 30,
    })
    for (const site of sites) write({ kind: 'source', id: `${site}/callrail`, campaign, site })
    const someDay = () => Math.floor(start + (windowDays - 14) * random.next() * dayMs)
    const makeEvent = (event: WhyKind): WorldEvent => {
      const at = someDay()
      return {
        event,
        site: siteless.has(event) ? null : random.pick(sites),
        at: event === 'note' ? Math.floor(at / dayMs) * dayMs + 12 * 3_600_000 : at,
        until: event === 'site_offline' ? at + (4 + 24 * random.next()) * dayMs : null,
        title: event === 'keyword_added' ? `word ${campaign} ${Math.floor(1e6 * random.next())}` : event,
      }
    }
    const many = random.next() < 0.33 ? 0 : random.next() < 0.15 ? 2 : 1
    const causes = Array.from({ length: many }, () => makeCause(random, makeEvent(random.pick(whyKinds)), sites))
    // Larger campaigns have causes more often: a loss of 15 leads needs leads to lose.
    const rate = 0.5 * 18 ** (random.next() ** (many === 0 ? 1 : 0.35))
    // A drop or a rise that nothing recorded explains.
    const turn = {
      day: historyDays + windowDays * random.next(),
      by: random.next() < 0.25 * wandering ? 0.35 * random.normal() : 0,
    }
    const decoys = Array.from({ length: 4 }, () => makeEvent(random.pick(whyKinds)))
    const lost = causes.map(() => 0)
    const exposed = causes.map(() => 0)
    let drift = 0
    for (let day = 0; day < days; day++) {
      drift = 0.98 * drift + wander * random.normal()
      const weekday = [1.2, 1.15, 1.1, 1.1, 1, 0.5, 0.35][day % 7]!
      const mean =
        rate * weekday * Math.exp(trade.at(day) + drift + (day >= turn.day ? turn.by : 0)) * random.gamma(dayShape)
      for (let count = random.poisson(mean); count > 0; count--) {
        const lead: Lead = {
          at: Math.floor(firstDay + (day + 0.5 + 0.4 * random.next()) * dayMs),
          site: pickWeighted(random, sites, siteWeights),
          type: random.next() < callShare ? 'Call' : 'Form',
          channel: pickWeighted(random, channelNames, channelWeights),
        }
        const decided = lead.at + random.gamma(1.2) * 1.5 * dayMs
        const isGood = random.next() < goodShare
        let hiddenBy = random.next() < 0.04 ? 'casino' : null
        let isMissed = lead.type === 'Call' && random.next() < 0.1
        let isGone = false
        for (const [index, cause] of causes.entries()) {
          if (!cause.touches(lead) || isGone || hiddenBy !== null || isMissed) continue
          const isCounted = isGood && decided < end
          if (isCounted) exposed[index]! += 1
          if (random.next() >= cause.power) continue
          if (isCounted) lost[index]! += 1
          if (cause.event.event === 'keyword_added') hiddenBy = cause.event.title
          else if (cause.event.event === 'hours_edited') isMissed = true
          else isGone = true
        }
        if (isGone) continue
        const isJudged = decided < end
        write({
          kind: 'lead',
          id: ++leadId,
          campaign,
          source: `${lead.site}/callrail`,
          type: lead.type,
          channel: lead.channel,
          at: iso(lead.at),
          verified_at: isGood && isJudged && hiddenBy === null && !isMissed ? iso(decided) : null,
          hidden_by: hiddenBy,
          missed: isMissed,
        })
      }
    }
    const events = [...decoys, ...causes.map(({ event }) => event)].sort((a, b) => a.at - b.at)
    for (const { event, site, at, until, title } of events)
      write({ kind: 'event', campaign, site, event, at: iso(at), until: until === null ? null : iso(until), title })
    planted.set(
      campaign,
      causes.map(({ event: { event, at } }, index) => ({
        event,
        at: iso(at),
        lost: lost[index]!,
        deviations: lost[index]! / Math.sqrt(Math.max(1, exposed[index]!)),
      })),
    )
  }
  const toDay = (at: number) => iso(at).slice(0, 10)
  return { lines, from: toDay(start), to: toDay(end - dayMs), planted }
}

const iso = (at: number) => new Date(Math.floor(at)).toISOString()

/** What a cause does: which leads it touches, from when on, and how many of them it takes. */
function makeCause(random: SeededRandom, event: WorldEvent, sites: readonly number[]) {
  const isLate = event.event === 'link_lost' || event.event === 'redirect_broken'
  const begins = event.at + (isLate ? 4 * random.next() * dayMs : 0)
  const isTotal = event.event === 'site_offline' || event.event === 'listing_suspended'
  const scope = random.pick(['campaign', 'site', 'channel'] as const)
  const [noteSite, noteChannel] = [random.pick(sites), random.pick(channelNames.slice(0, 3))]
  const isOfKind = ({ site, type, channel }: Lead): boolean => {
    switch (event.event) {
      case 'site_offline':
        return site === event.site && (type === 'Form' || channel !== 'Google Maps')
      case 'listing_suspended':
        return site === event.site && channel === 'Google Maps'
      case 'link_lost':
      case 'redirect_broken':
        return site === event.site && channel === 'Google Organic'
      case 'hours_edited':
        return type === 'Call'
      case 'keyword_added':
        return true
      case 'note':
        return scope === 'campaign' || (scope === 'site' ? site === noteSite : channel === noteChannel)
    }
  }
  return {
    event,
    power: isTotal ? 0.95 : 0.5 + 0.5 * random.next(),
    touches: (lead: Lead) => lead.at >= begins && (event.until === null || lead.at < event.until) && isOfKind(lead),
  }
}

function pickWeighted<T>(random: SeededRandom, values: readonly T[], weights: readonly number[]): T {
  let left = random.next() * weights.reduce((sum, one) => sum + one, 0)
  const at = weights.findIndex((weight) => {
    left -= weight
    return left < 0
  })
  return values[at] ?? values[0]!
}
