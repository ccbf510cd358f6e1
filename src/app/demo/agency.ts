import { toUtcDay } from '#contract/days.ts'
import type { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import type { WorkingSchedule } from '#domains/campaigns/contract.ts'
import type { campaignsTable } from '#domains/campaigns/schema.ts'
import type { BillingTerms } from '#domains/campaigns/terms/contract.ts'
import { defaultDisputeDays } from '#domains/campaigns/terms/labels.ts'
import type { campaignTermsTable } from '#domains/campaigns/terms/schema.ts'
import type { clientsTable } from '#domains/clients/schema.ts'
import type { clientSitesTable } from '#domains/sites/client/schema.ts'
import { type DemoPlace, demoPlaces } from './people.ts'
import type { SeededRandom } from './random.ts'
import { type DemoTrade, demoTrades } from './trades.ts'

type StoredRow<T extends { $inferInsert: object }> = T['$inferInsert'] & { id: number }
type DemoClient = { row: StoredRow<typeof clientsTable>; slug: string; place: DemoPlace; trade: DemoTrade }
/** A campaign with the inputs for its leads; `pace` is the number of leads in an ordinary week. */
export type DemoCampaign = {
  row: StoredRow<typeof campaignsTable>
  client: DemoClient
  place: DemoPlace
  trade: DemoTrade
  pace: number
  sites: StoredRow<typeof clientSitesTable>[]
  story?: DemoStory
}
/** Three campaigns that demonstrate a forecast and its causes. */
export type DemoStory = {
  /** Behind because its site is offline, behind without a cause, and behind only until its leads are judged. */
  kind: 'site offline' | 'fewer leads' | 'not judged yet'
  since: Date
}
export type DemoAgency = {
  categories: StoredRow<typeof campaignCategoriesTable>[]
  clients: DemoClient[]
  contracts: DemoCampaign[]
}

export const managerNames: readonly string[] = ['Morgan Reyes', 'Dana Whitfield', 'Chris Okafor', 'Sam Lindqvist']
const firmPrefixes =
  'Summit Lone-Star Evergreen Blue-Ridge Keystone Patriot Cardinal Redwood Liberty Coastal Heritage Ironwood Bluebonnet Golden-Gate Northstar Riverside Magnolia Pioneer Cascade Copper Sunrise Granite Maple Harbor Silver-Oak Frontier Bayou Prairie Beacon Falcon'.split(
    ' ',
  )

/** Forty clients with sixty campaigns: most have one, some a second town, a few a third. */
export function createDemoAgency(dice: SeededRandom, now: Date): DemoAgency {
  const categories = demoTrades.map(({ name, color }, index) => ({ id: index + 1, name, color }))
  const clients = Array.from({ length: 40 }, (_, index) => createDemoClient(dice, index))
  const contracts: DemoCampaign[] = []
  for (const [index, client] of clients.entries())
    for (let nth = 0; nth < (index % 10 === 9 ? 3 : index % 10 > 6 || index % 5 === 0 ? 2 : 1); nth += 1)
      contracts.push(createDemoCampaign(dice, now, client, contracts.length + 1, nth))
  let sites = 0
  for (const contract of contracts)
    contract.sites = createSiteUrls(dice, contract).map((url) => createClientSite(dice, contract, url, ++sites))
  return { categories, clients, contracts }
}

function createDemoClient(dice: SeededRandom, index: number): DemoClient {
  const trade = demoTrades[index % demoTrades.length]!
  const place = dice.pick(demoPlaces)
  const first = firmPrefixes[(index * 7) % firmPrefixes.length]!.replace('-', ' ')
  const name = `${first} ${dice.pick(trade.firms)}`
  const slug = `${first}-${trade.name}`.toLowerCase().replaceAll(' ', '-')
  const emails = dice.chance(0.5) ? [`office@${slug}.example`] : []
  const row = {
    ...{ id: index + 1, name, timezone: place.zone, emails, disable_notifications: index % 13 === 12 },
    phone: `+1${place.area}55501${String(index).padStart(2, '0')}`,
    notes: index % 3 === 0 ? 'Call the owner before noon. Statements go to the bookkeeper.' : null,
    billing_emails: index % 3 === 0 ? [`books@${slug}.example`] : [],
  }
  return { row, slug, place, trade }
}

function createDemoCampaign(dice: SeededRandom, now: Date, client: DemoClient, id: number, nth: number): DemoCampaign {
  const place = nth === 0 ? client.place : demoPlaces[(demoPlaces.indexOf(client.place) + nth) % demoPlaces.length]!
  const monthsAgo = id % 12 === 0 ? dice.int(1, 3) : dice.int(7, 44)
  const started = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, dice.int(1, 28)))
  const pace = Math.min(18, Math.max(1.5, dice.skewed(3.8, 0.55)))
  const leads = Math.round(pace * 4.3) // in a month
  const target = Math.round(leads * 0.6) // verified ones
  const service_fee = Math.round((900 + leads * dice.int(45, 75)) / 50) * 50
  const is_ppc = dice.chance(0.45)
  const archived = id % 15 === 14
  const row = {
    id,
    name: `${client.row.name} ${place.city}`,
    client_id: client.row.id,
    manager: managerNames[id % managerNames.length]!,
    start_date: toUtcDay(started),
    due_date: dice.int(1, 28),
    initial_target: Math.round(target * 0.4),
    month_3_target: Math.round(target * 0.6),
    month_6_target: Math.round(target * 0.8),
    month_9_target: dice.chance(0.8) ? Math.round(target * 0.95) : null,
    month_12_target: Math.round(target * 1.1),
    service_fee,
    approved_ppc: is_ppc ? Math.round(service_fee * (0.2 + dice.next() * 0.3)) : 0,
    is_ppc,
    trouble_state: archived ? 5 : Number(dice.weighted({ 2: 70, 3: 14, 10: 8, 4: 3, 1: 5 })),
    notes: dice.chance(0.4) ? dice.pick(campaignNoteTexts) : '',
    fixed_to_top: id % 20 === 3,
    archived,
    timezone: place.zone,
    schedule: createSchedule(dice),
    created_at: started,
  }
  const trade = client.trade
  return { row, client, place, trade, pace, sites: [] }
}

const campaignNoteTexts = [
  'Client answers the phone himself, misses calls when on a roof.',
  'Wants only residential jobs.',
  'Budget review with the owner next quarter.',
  'New tracking numbers since the move to the new office.',
  'Two crews; can take about twenty jobs a month.',
]

/** Most open at eight and close on Sunday; some work around the clock, as emergency trades do. */
function createSchedule(dice: SeededRandom): WorkingSchedule {
  const [start, end] = dice.pick([
    ['08:00', '17:00'],
    ['08:00', '18:00'],
    ['07:30', '17:30'],
    ['09:00', '19:00'],
    ['00:00', '24:00'],
  ] as const)
  const saturday = dice.chance(0.5)
  return [0, 1, 2, 3, 4, 5, 6].map((day) => {
    const isWeekday = day >= 1 && day <= 5
    const enabled = isWeekday || start === '00:00' || (day === 6 && saturday)
    return isWeekday || start === '00:00'
      ? { enabled, day, startTime: start, endTime: end }
      : { enabled, day, startTime: '09:00', endTime: '14:00' }
  })
}

function createSiteUrls(dice: SeededRandom, { row, client, place, trade }: DemoCampaign): string[] {
  const city = place.city.toLowerCase().replaceAll(' ', '')
  const word = trade.name.toLowerCase().replaceAll(' ', '')
  const second = dice.chance(0.35) ? [`https://best-${word}-${city}-${row.id}.example`] : []
  return [`https://${city}.${client.slug}.example`, ...second]
}

function createClientSite(
  dice: SeededRandom,
  { row }: DemoCampaign,
  url: string,
  id: number,
): DemoCampaign['sites'][number] {
  return {
    id,
    url,
    campaign_id: row.id,
    callrail_campaign_identifier: `COM${dice.text(32)}`,
    ip: `203.0.113.${dice.int(2, 250)}`,
    ...(dice.chance(0.985)
      ? { status: 1, http_status_code: 200, problem: null }
      : { status: 0, http_status_code: 503, problem: 'Error 503' }),
    misses: 0,
    created_at: row.created_at ?? new Date(),
  }
}

/** Terms other than the flat service fee: every fourth campaign pays per lead, every seventh a fee that includes some. */
export function createTerms(contracts: readonly DemoCampaign[]): (typeof campaignTermsTable)['$inferInsert'][] {
  return contracts.flatMap(({ row }) => {
    const kind = row.id % 4 === 1 ? 'per_lead' : row.id % 7 === 3 ? 'flat_plus' : null
    if (!kind || !row.start_date) return []
    const common = { from: row.start_date, to: null, dispute_days: defaultDisputeDays }
    const terms: BillingTerms =
      kind === 'per_lead'
        ? { ...common, kind, fee: 0, prices: { Form: 45, Call: 62.5 }, included: 0, cap: null }
        : { ...common, kind, fee: 650, prices: { Form: 35, Call: 50 }, included: 8, cap: 2500 }
    return [{ campaign_id: row.id, terms: [terms], version: 1 }]
  })
}
