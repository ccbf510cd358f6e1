import type { campaignAreasTable } from '#domains/campaigns/area/schema.ts'
import { readZipCodes } from '#domains/campaigns/area/server/zip-codes.ts'
import type { MapMark } from '#integrations/fakes/tiles.ts'
import type { DemoAgency } from './agency.ts'
import { demoPlaces } from './people.ts'
import { SeededRandom } from './random.ts'

type AreaRow = (typeof campaignAreasTable)['$inferInsert']

/** The demo's map: a dot for every ZIP code, which draws the country, with the names of the agency's towns. */
export async function createTownMap(): Promise<MapMark[]> {
  const marks: MapMark[] = []
  for await (const { lat, lng } of readZipCodes()) marks.push({ lat, lng })
  return [...marks, ...[...(await readTownCenters())].map(([name, at]) => ({ ...at, name: name.split(',')[0]! }))]
}

/** An area around its town for most campaigns: a dozen corners, each some miles out. */
export async function createCampaignAreas({ contracts }: DemoAgency, seed: number): Promise<AreaRow[]> {
  const dice = new SeededRandom(seed)
  const towns = await readTownCenters()
  return contracts.flatMap(({ row, place }) => {
    const town = towns.get(`${place.city}, ${place.state}`)
    if (!town || row.id % 7 === 0) return []
    const count = dice.int(7, 14)
    const points = Array.from({ length: count }, (_, index) => {
      const angle = (index / count) * 2 * Math.PI
      const reach = dice.int(14, 30) / 100
      const exact = (value: number) => Math.round(value * 1e5) / 1e5
      return {
        lat: exact(town.lat + reach * Math.sin(angle)),
        lng: exact(town.lng + (reach * Math.cos(angle)) / Math.cos((town.lat * Math.PI) / 180)),
      }
    })
    return [{ campaign_id: row.id, points }]
  })
}

/** Returns the center of each town's ZIP codes. */
async function readTownCenters(): Promise<Map<string, { lat: number; lng: number }>> {
  const wanted = new Set(demoPlaces.map(({ city, state }) => `${city}, ${state}`))
  const sums = new Map<string, { lat: number; lng: number; count: number }>()
  for await (const { city, state, lat, lng } of readZipCodes()) {
    const name = `${city}, ${state}`
    if (!wanted.has(name)) continue
    const sum = sums.get(name) ?? { lat: 0, lng: 0, count: 0 }
    sums.set(name, { lat: sum.lat + lat, lng: sum.lng + lng, count: sum.count + 1 })
  }
  return new Map([...sums].map(([name, { lat, lng, count }]) => [name, { lat: lat / count, lng: lng / count }]))
}
