import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { createRingingTone } from '#integrations/fakes/ring-tone.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { recordingsContract } from '../contract.ts'
import { parseRangeHeader } from './range.ts'

const sound = createRingingTone()

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(startApp({ settings: callrail.settings }))
const campaign = await app.make.campaign()
const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
beforeEach(() => {
  callrail.behaviour = {}
})

const call = (values: object = {}) =>
  app.make.lead({
    campaign_id: campaign.id,
    lead_type: 'Call',
    recording_url: 'https://app.callrail.com/calls/1/recording/redirect?access_key=of-the-hook',
    ...values,
  })
const addressOf = async (id: number, who = admin): Promise<string> =>
  (await who.call(recordingsContract.get, { params: { id } })).body.url
const listen = (address: string, range?: string) => app.guest.fetch(address, range ? { headers: { range } } : {})
const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

test('the response is a Leadline URL without the provider’s key [LEAD-70, LEAD-71]', async () => {
  const { id } = await call()
  const { body } = await admin.call(recordingsContract.get, { params: { id } })
  expect(body.url).toMatch(new RegExp(`^/api/recording/${id}/stream\\?by=`))
  expect(JSON.stringify(body)).not.toMatch(/callrail|access_key|stand-in/)
})

test('the URL streams the provider’s file, whole and in ranges [LEAD-71]', async () => {
  const url = await addressOf((await call()).id)
  const whole = await listen(url)
  expect([
    whole.status,
    whole.headers.get('content-length'),
    whole.headers.get('content-type'),
    whole.headers.get('accept-ranges'),
  ]).toEqual([200, String(sound.length), 'audio/wav', 'bytes'])
  expect((await bytes(whole)).equals(sound)).toBe(true)
  const first = await listen(url, 'bytes=0-1')
  expect([first.status, first.headers.get('content-range'), (await bytes(first)).toString()]).toEqual([
    206,
    `bytes 0-1/${sound.length}`,
    'RI',
  ])
  const suffix = await listen(url, 'bytes=-10')
  expect([suffix.status, (await bytes(suffix)).equals(sound.subarray(-10))]).toEqual([206, true])
  const beyond = await listen(url, `bytes=${sound.length}-`)
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${sound.length}`])
})

test('ranges are cut out by Leadline if the provider does not support them [LEAD-71]', async () => {
  callrail.behaviour = { ignoresRanges: true }
  const url = await addressOf((await call()).id)
  const part = await listen(url, 'bytes=1000-1999')
  expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
    206,
    `bytes 1000-1999/${sound.length}`,
    '1000',
  ])
  expect((await bytes(part)).equals(sound.subarray(1000, 2000))).toBe(true)
  expect((await listen(url, `bytes=${sound.length}-`)).status).toBe(416)
})

test('the URL expires after ten minutes and cannot be forged or used for another lead [LEAD-71]', async () => {
  const [one, other] = [await call(), await call()]
  const url = await addressOf(one.id)
  expect((await listen(url.replace(`/${one.id}/`, `/${other.id}/`))).status).toBe(403)
  expect((await listen(url.replace(/expires=\d+/, `expires=${Date.now() + 9e9}`))).status).toBe(403)
  const expires = Date.now() - 1
  const signature = app.context.secrets.sign(`recording ${one.id} user 1 ${expires}`)
  expect(
    (await listen(`/api/recording/${one.id}/stream?by=user+1&expires=${expires}&signature=${signature}`)).status,
  ).toBe(403)
})

describe('access', () => {
  test('only users who see the lead may listen', async () => {
    const lead = await call()
    const hidden = await call({ hide: true })
    const handler = await app.as(await app.make.handler({ campaigns: [campaign.id] }))
    const stranger = await app.as(await app.make.admin({ campaigns: [] }))
    const customer = await app.as(await app.make.customer({ client_id: campaign.client_id }))
    const status = async (who: Caller, id: number) =>
      (await who.call(recordingsContract.get, { params: { id } })).status
    expect([await status(handler, lead.id), await status(customer, lead.id)]).toEqual([200, 200])
    expect([await status(handler, hidden.id), await status(stranger, lead.id)]).toEqual([404, 404])
  })

  test('a lead without a recording has no URL', async () => {
    const { id } = await call({ recording_url: null })
    expect((await admin.call(recordingsContract.get, { params: { id } })).status).toBe(404)
  })

  test('each play is audited with its user, who does not become a changer of the lead', async () => {
    const { id } = await call()
    await addressOf(id)
    const { rows } = await app.context.db.execute(sql`select kind, username from audit where row_id = ${id}`)
    expect(rows).toEqual([{ kind: 'recording', username: expect.stringMatching(/^admin-/) }])
  })
})

test('a failing provider and a link to another host give a message, not a 5xx', async () => {
  const lead = await call()
  const url = await addressOf(lead.id)
  callrail.behaviour = { fail: 500 }
  const answer = await listen(url)
  expect([answer.status, await answer.json()]).toEqual([404, { message: 'The recording cannot be played right now' }])

  const unconnected = await startApp()
  const foreign = await unconnected.make.lead({
    lead_type: 'Call',
    recording_url: 'http://169.254.169.254/latest/meta-data',
  })
  const root = await unconnected.as(await unconnected.make.superAdmin())
  const played = await root.call(recordingsContract.get, { params: { id: foreign.id } })
  expect((await root.fetch(played.body.url)).status).toBe(404)
  await unconnected.close()
})

test('a redirect to a host that is not CallRail’s is not followed', async () => {
  const asked: string[] = []
  const elsewhere = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { port } = elsewhere.address() as AddressInfo // it listens on TCP
  const url = await addressOf((await call()).id)
  for (const redirectsTo of [
    `http://127.0.0.1:${port}/a.wav`,
    `http://localhost:${port}/a.wav`,
    'file:///etc/passwd',
  ]) {
    callrail.behaviour = { redirectsTo }
    const answer = await listen(url)
    expect([answer.status, await answer.json()]).toEqual([404, { message: 'The recording cannot be played right now' }])
  }
  expect(asked).toEqual([])
  await new Promise((resolve) => elsewhere.close(resolve))
})

test('a recording of another service or of a file plays from its own address, if that is on the public web [LEAD-71]', async () => {
  const elsewhere = createServer(({ url, headers: { range } }, response) => {
    if (url !== '/1.wav') return response.writeHead(403).end()
    const part = parseRangeHeader(range, sound.length)
    if (part === null || part === 'unsatisfiable')
      return response.writeHead(200, { 'content-length': sound.length, 'content-type': 'text/html' }).end(sound)
    const { start, end } = part
    const head = { 'content-range': `bytes ${start}-${end}/${sound.length}`, 'content-length': end - start + 1 }
    return response.writeHead(206, head).end(sound.subarray(start, end + 1))
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { port } = elsewhere.address() as AddressInfo // it listens on TCP
  const recording_url = `http://127.0.0.1:${port}/1.wav`
  const [sent, imported, gone] = [
    await addressOf((await call({ lead_s: 'Other', recording_url })).id),
    await addressOf((await call({ recording_url })).id),
    await addressOf((await call({ recording_url: `http://127.0.0.1:${port}/2.wav` })).id),
  ]
  expect((await listen(sent)).status).toBe(404) // a private address
  const guarded = app.context.outbound
  app.context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.1'] })
  for (const address of [sent, imported]) {
    const whole = await listen(address)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
    expect((await bytes(whole)).equals(sound)).toBe(true)
  }
  const part = await listen(sent, 'bytes=1000-1999')
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${sound.length}`])
  expect((await bytes(part)).equals(sound.subarray(1000, 2000))).toBe(true)
  expect((await listen(gone)).status).toBe(404)
  app.context.outbound = guarded
  await new Promise((resolve) => elsewhere.close(resolve))
})

test('an address that answers with a page or with nothing cannot be played [EDGE-14]', async () => {
  const answers: Record<string, [type: string, body: string]> = {
    '/login.mp3': ['text/html; charset=utf-8', '<!doctype html><title>Sign in</title>'],
    '/named.mp3': ['audio/mpeg', '\n<html><title>Sign in</title></html>'],
    '/error.mp3': ['application/json', '{"error":"expired"}'],
    '/octets.mp3': ['application/octet-stream', '{"error":"expired"}'],
    '/nothing.mp3': ['audio/mpeg', ''],
    '/sound.mp3': ['application/octet-stream', 'ID3 sound'],
  }
  const elsewhere = createServer((request, response) => {
    const [type, body] = answers[request.url!]!
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { port } = elsewhere.address() as AddressInfo // it listens on TCP
  const guarded = app.context.outbound
  app.context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.1'] })
  const heard: Record<string, unknown> = {}
  for (const path of Object.keys(answers)) {
    const lead = await call({ lead_s: 'Other', recording_url: `http://127.0.0.1:${port}${path}` })
    const answer = await listen(await addressOf(lead.id))
    heard[path] = answer.status === 200 ? await answer.text() : (await answer.json()).message
  }
  const refused = 'The recording cannot be played right now'
  expect(heard).toEqual({
    '/login.mp3': refused,
    '/named.mp3': refused,
    '/error.mp3': refused,
    '/octets.mp3': refused,
    '/nothing.mp3': refused,
    '/sound.mp3': 'ID3 sound',
  })
  app.context.outbound = guarded
  await new Promise((resolve) => elsewhere.close(resolve))
})

test('a silent CallRail does not block other requests (R18)', async () => {
  const url = await addressOf((await call()).id)
  const listeners = 30 // more than there are connections to the database
  callrail.behaviour = { next: Array.from({ length: listeners }, () => 'silence' as const) }
  const gone = new AbortController()
  const waiting = Array.from({ length: listeners }, () =>
    app.guest.fetch(url, { signal: gone.signal }).catch(() => null),
  )
  await until(() => callrail.behaviour.next?.length === 0)
  expect((await admin.call(leadsContract.list)).status).toBe(200)
  gone.abort()
  await Promise.all(waiting)
})

test.each([
  ['bytes=0-1', { start: 0, end: 1 }],
  ['bytes=5-', { start: 5, end: 99 }],
  ['bytes=-5', { start: 95, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=0-1,5-6', null],
  ['seconds=1-2', null],
  [undefined, null],
])('of 100 bytes, %s is the range %j', (header, range) => {
  expect(parseRangeHeader(header, 100)).toEqual(range)
})
