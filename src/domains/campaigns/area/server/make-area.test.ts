import { expect, test } from 'vitest'
import { googleAccountsTable, googleLocationsTable } from '#domains/listings/google/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { campaignAreasContract } from '../contract.ts'
import { makeAreaContract } from '../make-contract.ts'
import { validatePolygon } from '../polygon.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const { id } = await app.make.campaign()

const make = (body: object, campaignId = id, who = root) =>
  who.call(makeAreaContract.make, { params: { id: campaignId }, body })
const readZipCodes = async (points: object[]): Promise<string[]> =>
  (await root.call(campaignAreasContract.objects, { body: { points } })).body.zipCodes

test('ZIP codes, typed or pasted, make an area that holds all of their centers [MOVE-11]', async () => {
  const { status, body } = await make({ zip_codes: '78701, 78702\n78745;78758-1234\t78701' })
  expect([status, body.unknown]).toEqual([200, []])
  expect(validatePolygon(body.points)).toBeUndefined()
  expect(await readZipCodes(body.points)).toEqual(expect.arrayContaining(['78701', '78702', '78745', '78758']))
  const alone = (await make({ zip_codes: '78701' })).body
  expect(await readZipCodes(alone.points)).toContain('78701')
  const { status: saved } = await root.call(campaignAreasContract.save, {
    params: { id },
    body: { points: body.points },
  })
  expect(saved).toBe(200)
})

test('thousands of ZIP codes make at most 500 points [MOVE-11]', async () => {
  const { body } = await make({ place: 'Austin, TX', radius: 100 })
  const zips = await readZipCodes(body.points)
  expect(zips.length).toBeGreaterThan(150)
  const made = (await make({ zip_codes: zips.join(' ') })).body
  expect(made.points.length).toBeLessThanOrEqual(500)
  expect(await readZipCodes(made.points)).toEqual(expect.arrayContaining(zips))
})

test('unknown codes are named, and alone they make nothing [MOVE-11]', async () => {
  expect((await make({ zip_codes: '78701 00000 abcde' })).body.unknown).toEqual(['00000', 'abcde'])
  expect((await make({ zip_codes: '00000, abcde' })).body.errors).toEqual({
    zip_codes: ['Not known: 00000, abcde'],
  })
  const pasted = ['x'.repeat(3000), ...Array.from({ length: 25 }, (_, index) => `y${index}`)].join(' ')
  const [says] = (await make({ zip_codes: pasted })).body.errors.zip_codes
  expect(says).toMatch(/^Not known: x{40}, y0, y1, .* and 6 more$/)
  expect((await make({})).body.errors).toEqual({ zip_codes: ['Type ZIP codes or a place, or choose the listing'] })
})

test('centers over 300 miles apart are refused [MOVE-11]', async () => {
  const { status, body } = await make({ zip_codes: '78701 10001' })
  expect([status, body.errors.zip_codes[0]]).toEqual([
    422,
    expect.stringMatching(/^These places are up to 1,5\d\d miles apart: an area spans at most 300 miles$/),
  ])
})

test('a place and a radius make an area; a name of several places is asked [MOVE-11]', async () => {
  for (const place of ['Austin, TX', 'austin tx', 'Austin, Texas, USA', '78701']) {
    const { body } = await make({ place, radius: 10 })
    const zips = await readZipCodes(body.points)
    expect(zips, place).toEqual(expect.arrayContaining(['78701', '78704']))
    expect(zips, place).not.toContain('78664') // Round Rock
  }
  const refusals = [
    [
      { place: 'Springfield', radius: 5 },
      'place',
      /^There are \d+ places of this name: add the state, as in Springfield, \w\w$/,
    ],
    [{ place: 'Nowhere at all', radius: 5 }, 'place', /^Not known: Nowhere at all$/],
    [{ place: 'Austin, TX' }, 'radius', /^Input a number$/],
    [{ place: 'Austin, TX', radius: 0 }, 'radius', /^At least 1 mile$/],
    [{ place: 'Austin, TX', radius: 151 }, 'radius', /^At most 150 miles$/],
  ] as const
  for (const [body, field, message] of refusals)
    expect((await make(body)).body.errors?.[field]?.[0], JSON.stringify(body)).toMatch(message)
  const places = async (q: string) =>
    (await root.call(makeAreaContract.places, { query: { q } })).body.map(({ name }: { name: string }) => name)
  expect((await places('austin'))[0]).toBe('Austin, TX')
  expect(await places('St. Louis, MO')).toContain('Saint Louis, MO')
  expect(await places('Port Washington')).toContain('Port Washington, NY')
  expect(await places('a')).toEqual([])
})

test('the places that the listing serves make an area, and what is not known of them is named [MOVE-11]', async () => {
  const campaign = await app.make.campaign()
  expect((await make({ listing: 1 }, campaign.id)).body.errors).toEqual({
    listing: ['No listing of this campaign has a service area'],
  })
  const cid = '12345678901234567890'
  await app.make.gmb({ campaign_id: campaign.id, link: `https://maps.google.com/?cid=${cid}` })
  const [account] = await app.context.db
    .insert(googleAccountsTable)
    .values({ subject: 'a', email: 'a@agency.example', account_name: 'Agency', refresh_token: Buffer.from('x') })
    .returning()
  await app.context.db.insert(googleLocationsTable).values({
    account_id: account!.id,
    name: 'locations/1',
    business_account: 'accounts/1',
    business_account_name: 'Agency',
    title: 'Granite',
    cid,
    service_area: 'Round Rock, TX, USA; Travis County, TX, USA; 78701, USA',
  })
  const { body } = await make({ listing: 1 }, campaign.id)
  expect(body.unknown).toEqual(['Travis County, TX, USA'])
  expect(await readZipCodes(body.points)).toEqual(expect.arrayContaining(['78664', '78701']))
})

test('only those who draw the area of this campaign make one [MOVE-11]', async () => {
  const stranger = await app.as(await app.make.admin({ permissions: ['campaigns'] }))
  const reader = await app.as(await app.make.admin({ campaigns: [id], permissions: ['campaignMap'] }))
  expect((await make({ zip_codes: '78701' }, id, stranger)).status).toBe(404)
  expect((await make({ zip_codes: '78701' }, id, reader)).status).toBe(403)
  expect((await make({ zip_codes: '78701', points: [] })).status).toBe(422)
})
