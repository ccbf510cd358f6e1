import { readZipCodes, type ZipCode } from '#domains/campaigns/area/zip-codes.ts'
import { gmbLogs, gmbs, passwordPlace, recoveryEmailPlace } from '#domains/gmbs/table.ts'
import type { teams } from '#domains/teams/table.ts'
import type { Tx } from '#server/db.ts'
import type { Secrets } from '#server/secrets.ts'
import type { Contract } from './agency.ts'
import type { Dice } from './dice.ts'
import { places } from './people.ts'
import { write } from './write.ts'

type Listing = (typeof gmbs)['$inferInsert'] & { id: number }
const day = 86_400_000

/** The campaigns' listings on Google Maps, with what was seen to be different about some: one in its town for nearly each, for some a second one nearby. */
export async function putOnTheMap(tx: Tx, secrets: Secrets, dice: Dice, contracts: readonly Contract[], now: Date) {
  const towns = await zipCodesByTown()
  const rows = contracts
    .flatMap((contract) => Array.from({ length: Number(dice.weighted({ 0: 6, 1: 60, 2: 24, 3: 10 })) }, () => contract))
    .map((contract, index) => listing(dice, { contract, id: index + 1, now, towns, secrets }))
  await write(tx, gmbs, rows)
  await write(
    tx,
    gmbLogs,
    rows.flatMap((row) => logOf(dice, row)),
  )
}

/** Who items of the activity log are for, when they are for no campaign. */
export const staffTeams: (typeof teams.$inferInsert)[] = ['Ads', 'Content', 'Listings'].map((name) => ({ name }))

type Given = { contract: Contract; id: number; now: Date; towns: Map<string, ZipCode[]>; secrets: Secrets }

function listing(dice: Dice, { contract, id, now, towns, secrets }: Given): Listing {
  const { row, client, place, sites, trade } = contract
  const town = towns.get(townOf(place))
  const zip = town && dice.pick(town)
  const status = row.archived ? 5 : Number(dice.weighted({ 1: 80, 2: 6, 3: 6, 4: 6, 5: 2 }))
  const ago = () => new Date(now.getTime() - dice.int(1, 60) * day)
  const changed = status !== 5 && dice.chance(0.08)
  const client_owned = dice.chance(0.3)
  return {
    id,
    campaign_id: row.id!,
    title: dice.chance(0.7) ? client.row.name : `${trade.name} ${place.city}`,
    address: `${dice.int(100, 9900)} ${dice.pick(streets)}, ${townOf(place)}${zip ? ` ${zip.zip}` : ''}`,
    website: sites[0]?.url ?? null,
    phone: `+1${place.area}555${String(dice.int(0, 9999)).padStart(4, '0')}`,
    email: `listings+${row.id}@leadline.example`,
    password: client_owned ? null : secrets.seal(dice.text(14), passwordPlace(id)),
    recovery_email: client_owned ? null : secrets.seal('listings@leadline.example', recoveryEmailPlace(id)),
    link: `https://maps.google.com/maps?cid=${dice.int(10 ** 15, 9 * 10 ** 15)}`,
    review_link: `https://search.google.com/local/writereview?placeid=demo-${id}`,
    status,
    suspended_at: status === 4 ? ago() : null,
    client_owned,
    is_client_location: dice.chance(0.5),
    notes: status === 4 ? dice.pick(appeals) : null,
    changed,
    changed_at: changed ? ago() : null,
    reviews_count: Math.round(dice.skewed(38, 0.9)),
    latitude: zip ? zip.lat + (dice.next() - 0.5) / 40 : null,
    longitude: zip ? zip.lng + (dice.next() - 0.5) / 40 : null,
    created_at: row.created_at ?? now,
    updated_at: now,
  }
}

/** What a check saw, and what staff did. */
function logOf(
  dice: Dice,
  { id, changed_at, suspended_at, phone, title }: Listing,
): (typeof gmbLogs)['$inferInsert'][] {
  const seen = [
    { changed: 'Phone', old: phone?.replace(/\d{2}$/, '00') ?? null, new: phone ?? null },
    { changed: 'Title', old: `${title} & Sons`, new: title },
  ]
  return [
    ...(changed_at ? [{ gmb_id: id, created_at: changed_at, ...dice.pick(seen), username: null }] : []),
    ...(suspended_at
      ? [{ gmb_id: id, created_at: suspended_at, changed: 'Status', old: 'Live', new: 'Suspended', username: 'morgan' }]
      : []),
  ]
}

const streets = ['Main St', 'Oak Ave', 'Industrial Blvd', 'Commerce Dr', 'Lakeview Rd', 'Highway 71', 'Elm St'] as const
const appeals = ['Appealed, waiting for Google', 'Needs a photo of the sign', 'Client sends the utility bill'] as const

const townOf = ({ city, state }: { city: string; state: string }) => `${city}, ${state}`

async function zipCodesByTown(): Promise<Map<string, ZipCode[]>> {
  const towns = new Map<string, ZipCode[]>(places.map((place) => [townOf(place), []]))
  for await (const code of readZipCodes()) towns.get(townOf(code))?.push(code)
  return new Map([...towns].filter(([, codes]) => codes.length > 0))
}
