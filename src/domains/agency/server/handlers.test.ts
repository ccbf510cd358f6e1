import sharp from 'sharp'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { agencyContract } from '../contract.ts'

const app = await setUp(startApp({ settings: { AGENCY_NAME: 'North Star', AGENCY_COLOR: '#0a7d4f' } }))
const root = await app.as(await app.make.superAdmin())

const put = (body: object) => root.call(agencyContract.update, { body })

test('the agency starts with its settings, until super admins change it [RPT-01]', async () => {
  expect((await root.call(agencyContract.read)).body).toEqual({ name: 'North Star', color: '#0a7d4f', logo: null })
  expect((await app.guest.call(agencyContract.logo)).status).toBe(404)
  const png = await sharp({ create: { width: 900, height: 90, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
  const logo = `data:image/png;base64,${png.toString('base64')}`
  expect((await put({ name: 'Summit', color: '#AA0000', logo })).body).toEqual({
    name: 'Summit',
    color: '#aa0000',
    logo,
  })
  const image = await app.guest.fetch('/api/agency/logo')
  expect(image.headers.get('content-type')).toBe('image/png')
  expect(await sharp(Buffer.from(await image.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 640 })
  expect((await put({ name: 'Summit', color: '#aa0000', logo: null })).body.logo).toBe(null)
})

test('an invalid color or image is refused by name, and only super admins have access [RPT-01]', async () => {
  const refused = async (body: object) => Object.keys((await put({ name: 'A', color: '#123456', ...body })).body.errors)
  expect(await refused({ color: 'red' })).toEqual(['color'])
  expect(await refused({ logo: 'javascript:alert(1)' })).toEqual(['logo'])
  expect(await refused({ logo: 'data:image/svg+xml;base64,AAAA' })).toEqual(['logo'])
  expect(await refused({ name: ' ' })).toEqual(['name'])
  const admin = await app.as(await app.make.admin())
  expect((await admin.call(agencyContract.read)).status).toBe(403)
})
