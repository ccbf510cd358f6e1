import { sql } from 'drizzle-orm'
import { stateNames } from '#contract/us-states.ts'
import type { Db } from '#core/db/db.ts'
import type { GeoPoint } from '../polygon.ts'
import { zipCodesTable } from '../schema.ts'

/** A city, with the centers of its ZIP codes and the middle of them. */
type Place = { name: string; middle: GeoPoint; centers: GeoPoint[] }

/** Finds cities by name: all that begin with it, or only those that have it. With a state only those in it. */
export async function findPlaces(db: Db, name: string, { whole }: { whole: boolean }): Promise<Place[]> {
  const { city, state } = parsePlaceName(name)
  if (city === '') return []
  const { rows } = await db.execute<{ city: string; state: string; centers: [lng: number, lat: number][] }>(sql`
    select city, state, json_agg(json_build_array(centre[0], centre[1]) order by zip) as centers
    from ${zipCodesTable}
    where ${whole ? sql`lower(city) = ${city}` : sql`starts_with(lower(city), ${city})`}
      and ${state === null ? sql`true` : sql`state = ${state}`}
    group by city, state
    order by lower(city) = ${city} desc, count(*) desc, city, state
    limit 60`)
  return rows.map((row) => {
    const centers = row.centers.map(([lng, lat]) => ({ lat, lng }))
    return { name: `${row.city}, ${row.state}`, middle: computeMiddle(centers), centers }
  })
}

/** Returns the centers of the ZIP codes that exist. */
export async function findZipCenters(db: Db, zips: readonly string[]): Promise<Map<string, GeoPoint>> {
  const { rows } = await db.execute<{ zip: string; lng: number; lat: number }>(sql`
    select zip, centre[0] as lng, centre[1] as lat from ${zipCodesTable} where zip = any(${sql.param([...zips])}::text[])`)
  return new Map(rows.map(({ zip, lng, lat }) => [zip, { lat, lng }]))
}

const computeMiddle = (points: readonly GeoPoint[]): GeoPoint => ({
  lat: points.reduce((sum, { lat }) => sum + lat, 0) / points.length,
  lng: points.reduce((sum, { lng }) => sum + lng, 0) / points.length,
})

/** Splits `St. Louis, MO, USA` into a city as the list spells it and a state. */
function parsePlaceName(written: string): { city: string; state: string | null } {
  const name = written
    .toLowerCase()
    .replace(/[,\s]+(usa|us|united states)$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const state = Object.entries(stateNames).find(([code, long]) =>
    // Port Washington is no port in Washington: the long name takes a comma.
    [` ${code}`, `,${code}`, `, ${long}`, `,${long}`].some((end) => name.endsWith(end.toLowerCase())),
  )
  if (!state) return { city: spellCity(name), state: null }
  const [code, long] = state
  const end = name.endsWith(long.toLowerCase()) ? long : code
  return { city: spellCity(name.slice(0, -end.length).replace(/[,\s]+$/, '')), state: code }
}

const spellCity = (name: string) =>
  name
    .replace(/^st\.? /, 'saint ')
    .replace(/^ft\.? /, 'fort ')
    .replace(/^mt\.? /, 'mount ')
