import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { agencyContract } from '../contract.ts'
import { findUnsafeSvgPart } from './svg-safety.ts'

const app = await setUp(
  startApp({
    settings: { AGENCY_NAME: 'North Star', AGENCY_COLOR: '#0a7d4f', ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' },
  }),
)
const root = await app.as(await app.make.superAdmin())

const put = (body: object) => root.call(agencyContract.update, { body })

test('the agency starts with its settings, until super admins change it [RPT-01]', async () => {
  expect((await root.call(agencyContract.read)).body).toEqual({
    name: 'North Star',
    color: '#0a7d4f',
    logo: null,
    address_lines: [],
    terms_days: 30,
    email: null,
    version: 1,
  })
  expect((await app.guest.call(agencyContract.logo)).status).toBe(404)
  const png = await sharp({ create: { width: 900, height: 90, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
  const logo = `data:image/png;base64,${png.toString('base64')}`
  expect((await put({ name: 'Summit', color: '#AA0000', logo })).body).toMatchObject({
    name: 'Summit',
    color: '#aa0000',
    logo,
  })
  const image = await app.guest.fetch('/api/agency/logo')
  expect(image.headers.get('content-type')).toBe('image/png')
  expect(await sharp(Buffer.from(await image.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 640 })
  expect((await put({ name: 'Summit', color: '#aa0000' })).body.logo, 'left out').toBe(logo)
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

test('a save of an older version is refused with the newer values; an uploaded logo makes none [RPT-01]', async () => {
  const { version } = (await root.call(agencyContract.read)).body
  await upload(await draw(90, 90).png().toBuffer())
  expect((await put({ name: 'Summit', color: '#aa0000', version })).body).toMatchObject({ version: version + 1 })
  const before = await app.dump()
  const stale = await put({ name: 'Late', color: '#bb0000', version })
  expect([stale.status, stale.body]).toMatchObject([
    409,
    { message: 'Someone else has changed the agency', newer: { name: 'Summit', version: version + 1 } },
  ])
  expect(await app.dump()).toBe(before)
})

const upload = (bytes: Buffer | string, who = root, name = 'logo.png') => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(Buffer.from(bytes))]), name)
  return who.fetch('/api/agency/logo', { method: 'POST', body: form })
}
const draw = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: '#0a7d4f' } })
const svg = (inside: string, attributes = 'width="300" height="100"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`
const bar = '<rect width="300" height="100" fill="#aa0000"/>'

test('a logo is uploaded as PNG, JPEG, WebP or SVG, served as a PNG, and removed [ACCT-11]', async () => {
  const files = {
    png: await draw(900, 90).png().toBuffer(),
    jpeg: await draw(300, 300).jpeg().toBuffer(),
    webp: await draw(64, 32).webp().toBuffer(),
    printed: await draw(90, 30).toColourspace('cmyk').jpeg().toBuffer(),
    moving: await sharp([await draw(20, 40).png().toBuffer(), await draw(20, 40).png().toBuffer()], {
      join: { animated: true },
    })
      .webp()
      .toBuffer(),
    dot: await draw(1, 1).png().toBuffer(),
    line: await draw(9000, 1).png().toBuffer(),
    svg: `<?xml version="1.0" encoding="UTF-8"?>\n<!-- by hand -->\n${svg(`<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><style>.b { fill: url(#a) }</style><g class="b">${bar}</g>`)}`,
    vast: svg(bar, 'viewBox="0 0 3000 3000"'), // as drawing programs write them
    icon: svg(bar, 'viewBox="0 0 24 24"'),
  }
  const sizes = {
    ...{ png: [640, 64], jpeg: [200, 200], webp: [64, 32], svg: [600, 200] },
    ...{ vast: [200, 200], icon: [200, 200], printed: [90, 30], moving: [20, 40], dot: [1, 1], line: [640, 1] },
  }
  for (const [kind, bytes] of Object.entries(files)) {
    const saved = await upload(bytes, root, 'any.name')
    expect([kind, saved.status, (await saved.json()).logo.slice(0, 22)]).toEqual([kind, 200, 'data:image/png;base64,'])
    const served = await app.guest.fetch('/api/agency/logo')
    expect(served.headers.get('content-type')).toBe('image/png')
    const { format, width, height } = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
    expect([kind, format, width, height]).toEqual([kind, 'png', ...sizes[kind as keyof typeof sizes]])
  }
  expect((await root.call(agencyContract.removeLogo)).body.logo).toBe(null)
  expect((await app.guest.call(agencyContract.logo)).status).toBe(404)
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'agency'))
  expect(trail.length).toBeGreaterThanOrEqual(5)
})

test('what is too large, of another kind, broken or missing is refused, and the logo stays [ACCT-11]', async () => {
  await upload(await draw(40, 20).png().toBuffer())
  const before = (await root.call(agencyContract.read)).body
  const refused = async (bytes: Buffer | string) => {
    const answer = await upload(bytes)
    return [answer.status, Object.keys((await answer.json()).errors)]
  }
  const png = await draw(40, 20).png().toBuffer()
  expect(await refused(Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]))).toEqual([413, ['file']])
  for (const bytes of ['GIF89a…', '%PDF-1.7', 'text', '', '<html><body>hi</body></html>', 'PK\u0003\u0004', 'BM'])
    expect([bytes, ...(await refused(bytes))]).toEqual([bytes, 415, ['file']])
  for (const bytes of [
    png.subarray(0, 60),
    Buffer.from('\x89PNG\r\n\x1a\nno', 'latin1'),
    await draw(6000, 6000).png().toBuffer(),
  ])
    expect(await refused(bytes)).toEqual([422, ['file']])
  expect((await root.fetch('/api/agency/logo', { method: 'POST' })).status).toBe(422)
  expect((await root.call(agencyContract.read)).body).toEqual(before)
  const admin = await app.as(await app.make.admin())
  expect([(await upload(png, admin)).status, (await upload(png, app.guest)).status]).toEqual([403, 401])
  expect((await admin.call(agencyContract.removeLogo)).status).toBe(403)
})

test('a drawing beyond all measure is refused as too large [ACCT-11]', async () => {
  const answer = await upload(svg(bar, 'width="200000" height="200000"'))
  expect((await answer.json()).errors).toEqual({ file: ['This image has too many pixels'] })
})

test('an SVG that could run, load, refer or grow is refused [ACCT-11]', async () => {
  const bomb = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
  const hostile = [
    svg('<script>alert(1)</script>'),
    svg('<SCRIPT href="#a"/>'),
    svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg"/>'),
    svg(bar, 'onload="alert(1)"'),
    svg("<rect ONCLICK = 'alert(1)'/>"),
    svg('<image href="https://evil.example/pixel.png"/>'),
    svg('<image xlink:href="data:image/png;base64,AAAA"/>'),
    svg('<use href="https://evil.example/a.svg#b"/>'),
    svg('<use href="#a"/>'),
    svg('<a href="javascript:alert(1)"><rect/></a>'),
    svg('<rect href="file:///etc/passwd"/>'),
    svg('<rect xml:base="https://evil.example/"/>'),
    svg('<foreignObject><body/></foreignObject>'),
    svg('<animate attributeName="x"/>'),
    svg('<set attributeName="href" to="javascript:alert(1)"/>'),
    svg('<filter id="f"/>'),
    svg('<pattern id="p"/>'),
    svg('<text>hi</text>'),
    svg('<rect style="fill: url(https://evil.example/#a)"/>'),
    svg('<rect fill="url(//evil.example/a.svg#b)"/>'),
    svg('<rect fill="url( \'data:image/svg+xml,x\' )"/>'),
    svg('<rect style="fill: u\\72l(https://evil.example)"/>'),
    svg('<rect style="fill: &#117;rl(https://evil.example)"/>'),
    svg('<style>@import "https://evil.example/a.css";</style>'),
    svg('<style>@font-face { src: url(https://evil.example/a.woff) }</style>'),
    svg('<style><![CDATA[@import "https://evil.example/a.css";]]></style>'),
    svg('<style>rect { background: URL(https://evil.example) }</style>'),
    `<?xml-stylesheet href="https://evil.example/a.css"?>${svg(bar)}`,
    `${bomb}${svg('<title>&b;</title>')}`,
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg(bar)}`,
    svg('<title>&xxe;</title>'),
    svg('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>'),
    `<?xml version="1.0" encoding="UTF-16"?>${svg(bar)}`,
    `${svg(bar)}${svg(bar)}`,
    `${svg(bar)}<script/>`,
    `<svg xmlns="http://www.w3.org/2000/svg"><g>`,
    svg('<rect width=300/>'),
    svg('<g>'.repeat(500) + '</g>'.repeat(500)),
    svg('<g/>'.repeat(30_000)),
    svg('<!---->'.repeat(30_000)),
    Buffer.from(`\ufeff${svg('<script/>')}`, 'utf16le').toString('latin1') + svg(''),
  ]
  const before = (await root.call(agencyContract.read)).body
  for (const file of hostile) {
    const answer = await upload(file, root, 'logo.svg')
    expect([file.slice(0, 200), answer.status === 422 || answer.status === 415]).toEqual([file.slice(0, 200), true])
  }
  expect((await root.call(agencyContract.read)).body).toEqual(before)
})

test('a long drawing is read within a second [ACCT-11]', () => {
  const drawing = svg(`<path d="${'M0 0'.repeat(20)}"/><!-- a note -->`.repeat(9_000))
  const start = performance.now()
  expect(findUnsafeSvgPart(Buffer.from(drawing))).toBe(null)
  expect(performance.now() - start).toBeLessThan(1000)
})

test('a logo at an address is read as strictly as an uploaded one; a GIF is accepted there [ACCT-11]', async () => {
  const files: Record<string, Buffer | string> = {
    gif: await draw(90, 30).gif().toBuffer(),
    drawing: svg(bar),
    referring: svg(`<image href="data:image/png;base64,${(await draw(9, 9).png().toBuffer()).toString('base64')}"/>`),
    packed: gzipSync(svg(bar)),
    wide: Buffer.from(`\ufeff${svg(bar)}`, 'utf16le'),
  }
  const server = createServer((request, response) => response.end(files[request.url!.slice(1)]))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port
  const answers: Record<string, number> = {}
  for (const name of Object.keys(files)) {
    await put({ name: 'Summit', color: '#aa0000', logo: `http://127.0.0.1:${port}/${name}` })
    answers[name] = (await app.guest.fetch('/api/agency/logo')).status
  }
  expect(answers).toEqual({ gif: 200, drawing: 200, referring: 404, packed: 404, wide: 404 })
})

test('what statements say of the agency is kept by who does not send it, and refused by name [ACCT-03]', async () => {
  const brand = { name: 'Summit', color: '#aa0000' }
  const address_lines = ['Summit Leads LLC', '', '1 Main Street', 'Austin, TX 78701']
  const saved = await put({ ...brand, address_lines, terms_days: 14, email: 'Billing <billing@summit.example>' })
  const facts = { address_lines: address_lines.filter(Boolean), terms_days: 14, email: 'billing@summit.example' }
  expect(saved.body).toMatchObject(facts)
  expect((await put(brand)).body).toMatchObject(facts)
  const refused = async (body: object) => Object.keys((await put({ ...brand, ...body })).body.errors)
  expect(await refused({ address_lines: Array.from({ length: 7 }, (_, index) => `Line ${index}`) })).toEqual([
    'address_lines',
  ])
  expect(await refused({ address_lines: 'one' })).toEqual(['address_lines'])
  expect(await refused({ terms_days: -1 })).toEqual(['terms_days'])
  expect(await refused({ terms_days: 30.5 })).toEqual(['terms_days'])
  expect(await refused({ email: 'nobody' })).toEqual(['email'])
  expect((await put({ ...brand, email: '', address_lines: [] })).body).toMatchObject({ email: null, address_lines: [] })
})
