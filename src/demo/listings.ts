import type { gmbs } from '#domains/gmbs/table.ts'
import type { teams } from '#domains/teams/table.ts'
import type { Contract } from './agency.ts'
import type { Dice } from './dice.ts'

/** The campaigns' listings on Google Maps: one in its town for nearly each, for some a second one nearby. */
export function listings(dice: Dice, contracts: readonly Contract[], now: Date): (typeof gmbs.$inferInsert)[] {
  return contracts.flatMap((contract) =>
    Array.from({ length: Number(dice.weighted({ 0: 6, 1: 60, 2: 24, 3: 10 })) }, () => listing(dice, contract, now)),
  )
}

/** Who items of the activity log are for, when they are for no campaign. */
export const staffTeams: (typeof teams.$inferInsert)[] = ['Ads', 'Content', 'Listings'].map((name) => ({ name }))

function listing(dice: Dice, { row, client, place, sites, trade }: Contract, now: Date) {
  const cid = dice.int(10 ** 15, 9 * 10 ** 15)
  const [latitude = 38.5, longitude = -96.5] = centres[place.city] ?? []
  const status = row.archived ? 5 : Number(dice.weighted({ 1: 80, 2: 6, 3: 6, 4: 6, 5: 2 }))
  return {
    campaign_id: row.id!,
    title: dice.chance(0.7) ? client.row.name : `${trade.name} ${place.city}`,
    address: `${dice.int(100, 9900)} ${dice.pick(streets)}, ${place.city}, ${place.state}`,
    website: sites[0]?.url ?? null,
    phone: `+1${place.area}555${String(dice.int(0, 9999)).padStart(4, '0')}`,
    email: `listings+${row.id}@leadline.example`,
    link: `https://maps.google.com/maps?cid=${cid}`,
    review_link: `https://search.google.com/local/writereview?placeid=${cid}`,
    status,
    client_owned: dice.chance(0.3),
    is_client_location: dice.chance(0.5),
    notes: null,
    changed: status === 4,
    reviews_count: Math.round(dice.skewed(38, 0.9)),
    latitude: latitude + (dice.next() - 0.5) / 5,
    longitude: longitude + (dice.next() - 0.5) / 5,
    created_at: row.created_at ?? now,
    updated_at: now,
  }
}

const streets = ['Main St', 'Oak Ave', 'Industrial Blvd', 'Commerce Dr', 'Lakeview Rd', 'Highway 71', 'Elm St'] as const

const centres: Record<string, readonly [number, number]> = {
  Austin: [30.27, -97.74],
  Dallas: [32.78, -96.8],
  Houston: [29.76, -95.37],
  'San Antonio': [29.42, -98.49],
  Nashville: [36.16, -86.78],
  Memphis: [35.15, -90.05],
  'Kansas City': [39.1, -94.58],
  Tulsa: [36.15, -95.99],
  Minneapolis: [44.98, -93.27],
  Atlanta: [33.75, -84.39],
  Savannah: [32.08, -81.09],
  Charlotte: [35.23, -80.84],
  Raleigh: [35.78, -78.64],
  Tampa: [27.95, -82.46],
  Orlando: [28.54, -81.38],
  Jacksonville: [30.33, -81.66],
  Columbus: [39.96, -83.0],
  Richmond: [37.54, -77.44],
  Pittsburgh: [40.44, -80.0],
  Denver: [39.74, -104.99],
  Boise: [43.62, -116.2],
  Phoenix: [33.45, -112.07],
  Tucson: [32.22, -110.97],
  Sacramento: [38.58, -121.49],
  Portland: [45.52, -122.68],
}
