import { msPerDay } from '#contract/days.ts'
import type { Tx } from '#core/db/db.ts'
import type { SecretBox } from '#core/secrets/secrets.ts'
import type { teamsTable } from '#domains/access/teams/schema.ts'
import { readZipCodes, type ZipCode } from '#domains/campaigns/area/server/zip-codes.ts'
import { foundLabel, notFoundLabel, placeLabel } from '#domains/listings/checks/labels.ts'
import { getPasswordContext, getRecoveryEmailContext, gmbLogsTable, gmbsTable } from '#domains/listings/gmbs/schema.ts'
import type { DemoCampaign } from './agency.ts'
import { insertRows } from './insert-rows.ts'
import { demoPlaces } from './people.ts'
import { SeededRandom } from './random.ts'

type DemoGmbRow = (typeof gmbsTable)['$inferInsert'] & { id: number }
type GmbLogRow = (typeof gmbLogsTable)['$inferInsert']

/** The campaigns' listings on Google Maps, some of them changed: one in town for nearly every campaign, for some a second one nearby. */
export async function seedGmbs(
  tx: Tx,
  secrets: SecretBox,
  dice: SeededRandom,
  contracts: readonly DemoCampaign[],
  now: Date,
) {
  const towns = await readZipCodesByTown()
  const rows = contracts
    .flatMap((contract) => Array.from({ length: Number(dice.weighted({ 0: 6, 1: 60, 2: 24, 3: 10 })) }, () => contract))
    .map((contract, index) => createDemoGmb(dice, { contract, id: index + 1, now, towns, secrets }))
  const watcher = new SeededRandom(rows.length)
  const news = rows.map((row) => simulateGmbCheck(watcher, row, now))
  await insertRows(tx, gmbsTable, rows)
  await insertRows(tx, gmbLogsTable, [...news.flat(), ...rows.flatMap(createSuspensionLog)])
}

/** Teams: items of the activity log are for these, or for campaigns. */
export const staffTeams: (typeof teamsTable.$inferInsert)[] = ['Ads', 'Content', 'Listings'].map((name) => ({ name }))

type GmbInput = { contract: DemoCampaign; id: number; now: Date; towns: Map<string, ZipCode[]>; secrets: SecretBox }

function createDemoGmb(dice: SeededRandom, { contract, id, now, towns, secrets }: GmbInput): DemoGmbRow {
  const { row, client, place, sites, trade } = contract
  const town = towns.get(formatTown(place))
  const zip = town && dice.pick(town)
  // Regardless of the dice, some are suspended and some have changed.
  const status = row.archived ? 5 : id % 27 === 6 ? 4 : Number(dice.weighted({ 1: 84, 2: 7, 3: 7, 5: 2 }))
  const ago = () => new Date(now.getTime() - dice.int(1, 60) * msPerDay)
  const changed = status !== 5 && id % 16 === 3
  const client_owned = dice.chance(0.3)
  return {
    id,
    campaign_id: row.id!,
    title: dice.chance(0.7) ? client.row.name : `${trade.name} ${place.city}`,
    address: `${dice.int(100, 9900)} ${dice.pick(streetNames)}, ${formatTown(place)}${zip ? ` ${zip.zip}` : ''}`,
    website: sites[0]?.url ?? null,
    phone: `+1${place.area}555${String(dice.int(0, 9999)).padStart(4, '0')}`,
    email: `listings+${row.id}@leadline.example`,
    password: client_owned ? null : secrets.seal(dice.text(14), getPasswordContext(id)),
    recovery_email: client_owned ? null : secrets.seal('listings@leadline.example', getRecoveryEmailContext(id)),
    link: `https://maps.google.com/maps?cid=${dice.int(10 ** 15, 9 * 10 ** 15)}`,
    review_link: `https://search.google.com/local/writereview?placeid=demo-${id}`,
    status,
    suspended_at: status === 4 ? ago() : null,
    client_owned,
    is_client_location: dice.chance(0.5),
    notes: status === 4 ? dice.pick(appealNotes) : null,
    changed,
    changed_at: changed ? ago() : null,
    reviews_count: Math.round(dice.skewed(38, 0.9)),
    latitude: zip ? zip.lat + (dice.next() - 0.5) / 40 : null,
    longitude: zip ? zip.lng + (dice.next() - 0.5) / 40 : null,
    created_at: row.created_at ?? now,
    updated_at: now,
  }
}

/** Writes the results of checks into the row, and returns their log entries. */
function simulateGmbCheck(dice: SeededRandom, row: DemoGmbRow, now: Date): GmbLogRow[] {
  const { title, address = null, phone = null, website = null } = row
  const checked_at = new Date(now.getTime() - dice.int(5, 1430) * 60_000)
  const seen = { title, address, phone, website, category: `${title.split(' ')[0]} contractor`, closed: null }
  const other = {
    Phone: { phone: phone?.replace(/\d{2}$/, '00') ?? null },
    Title: { title: `${title} & Sons` },
    Address: { address: null },
    Closed: { closed: 'temporarily closed' },
    [placeLabel]: {},
  }
  const kind = dice.weighted({ Phone: 40, Title: 25, Address: 15, Closed: 20 })
  const changed = !row.changed ? null : row.id % 3 === 2 ? placeLabel : kind // Google lists the others in its account
  const isGone = changed === placeLabel
  Object.assign(row, {
    seen: { ...seen, ...(changed ? other[changed] : {}) },
    seen_by: 'link',
    seen_at: isGone ? row.changed_at : checked_at,
    changed_fields: changed ? [changed] : [],
    gone_at: isGone ? row.changed_at : null,
    checked_at,
    next_check_at: new Date(checked_at.getTime() + msPerDay),
  })
  if (!changed) return []
  const [name] = Object.keys(other[changed]) as [keyof typeof seen]
  const [was, is] = isGone ? [foundLabel, notFoundLabel] : [seen[name], row.seen?.[name] ?? null]
  return [{ gmb_id: row.id, created_at: row.changed_at!, changed, old: was, new: is, username: null }]
}

const createSuspensionLog = ({ id, suspended_at }: DemoGmbRow): GmbLogRow[] =>
  suspended_at
    ? [{ gmb_id: id, created_at: suspended_at, changed: 'Status', old: 'Live', new: 'Suspended', username: 'morgan' }]
    : []

const streetNames = [
  'Main St',
  'Oak Ave',
  'Industrial Blvd',
  'Commerce Dr',
  'Lakeview Rd',
  'Highway 71',
  'Elm St',
] as const
const appealNotes = [
  'Appealed, waiting for Google',
  'Needs a photo of the sign',
  'Client sends the utility bill',
] as const

const formatTown = ({ city, state }: { city: string; state: string }) => `${city}, ${state}`

async function readZipCodesByTown(): Promise<Map<string, ZipCode[]>> {
  const towns = new Map<string, ZipCode[]>(demoPlaces.map((place) => [formatTown(place), []]))
  for await (const code of readZipCodes()) towns.get(formatTown(code))?.push(code)
  return new Map([...towns].filter(([, codes]) => codes.length > 0))
}
