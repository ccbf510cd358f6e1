import { execFile } from 'node:child_process'
import http, { Agent, request } from 'node:http'
import net from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#app/server/parts.ts'
import { createApp } from '#app/server/server.ts'
import { connectDatabase } from '#core/db/db.ts'
import { announceShutdown } from '#core/health/health.ts'
import { maskUrl, serializeError } from '#core/log/log.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const json = { 'content-type': 'application/json' }

/** Sends the whole body, no faster than the server reads it, which `fetch` does not do. Throws if the connection breaks. */
function postWhole({ token }: Caller, body: Buffer, agent: Agent, isChunked: boolean): Promise<[number, unknown]> {
  const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }
  const headers = { ...json, ...length, authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const post = request(`${app.url}/api/campaigncategory`, { method: 'POST', agent, headers }, async (answer) => {
      resolve([answer.statusCode ?? 0, JSON.parse(await text(answer))])
    })
    post.on('error', reject)
    Readable.from(slices(body)).pipe(post)
  })
}
function* slices(body: Buffer) {
  for (let start = 0; start < body.length; start += 65_536) yield body.subarray(start, start + 65_536)
}

test('endpoints are under /api, take and return JSON, authorized by a bearer token [API-01]', async () => {
  const answer = await root.fetch('/api/campaigncategory', {
    method: 'POST',
    headers: json,
    body: '{"name":"Roofing"}',
  })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect((await fetch(`${app.url}/campaigncategory`, { method: 'POST' })).status).toBe(404)
})

test('a body is read in the charset that it declares; bytes that are not UTF-8 are Windows-1252 [EDGE-04]', async () => {
  const sent: [type: string, body: Buffer][] = [
    ['application/json', Buffer.from('{"name":"José"}', 'latin1')],
    ['application/json; charset=ISO-8859-2', Buffer.from('{"name":"\xa3\xf3d\xbc"}', 'latin1')],
    ['application/json; charset=utf-16', Buffer.from('\ufeff{"name":"Zoë"}', 'utf16le')],
    ['application/json; charset=utf-8', Buffer.from('\ufeff{"name":"Zoë 2"}')],
  ]
  const names = []
  for (const [type, bytes] of sent) {
    const headers = { 'content-type': type }
    const body = new Uint8Array(bytes)
    names.push((await (await root.fetch('/api/campaigncategory', { method: 'POST', headers, body })).json()).name)
  }
  expect(names).toEqual(['José', 'Łódź', 'Zoë', 'Zoë 2'])
})

describe('refusals', () => {
  test('have a message, and a list of lines per field [API-13, API-18]', async () => {
    const { status, body } = await root.call(campaignCategoriesContract.create, { body: { name: '', color: 'x' } })
    expect(status).toBe(422)
    expect(body).toEqual({
      message: 'Please check what you entered',
      errors: { name: ['Please input category name'], color: ['Not a color (#rrggbb)'] },
    })
  })

  test('malformed JSON gets 400 [API-14]', async () => {
    for (const body of ['{', '{"name":}', 'x', '{"__proto__":1}']) {
      const answer = await root.fetch('/api/campaigncategory', { method: 'POST', headers: json, body })
      expect([answer.status, await answer.json()], body).toEqual([
        400,
        { message: 'This request cannot be understood' },
      ])
    }
  })

  test('an address that cannot be decoded gets 400, in the form of every error [API-13]', async () => {
    const answer = await root.fetch('/api/campaigncategory/%E0%A4%A')
    expect([answer.status, await answer.json()]).toEqual([400, { message: 'This request cannot be understood' }])
  })

  test('an unknown route, an unknown id and an invalid id get 404 [API-14]', async () => {
    for (const path of [
      '/api/nothing',
      '/api/campaigncategory/999999',
      '/api/campaigncategory/abc',
      '/api/campaigncategory/-1',
      '/api/campaigncategory/99999999999',
    ])
      expect((await root.fetch(path)).status, path).toBe(404)
  })

  test('a body that is too large gets 413, a type other than JSON 415 [API-15]', async () => {
    const large = await root.fetch('/api/campaigncategory', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'x'.repeat(1_100_000) }),
    })
    expect(large.status).toBe(413)
    for (const type of ['text/plain', 'text/xml', 'application/x-www-form-urlencoded']) {
      const answer = await root.fetch('/api/campaigncategory', {
        method: 'POST',
        headers: { 'content-type': type },
        body: 'name=x',
      })
      expect(answer.status, type).toBe(415)
    }
  })

  test('a client that sends too much reads 413 each time, on a new or a kept connection [API-15]', async () => {
    const body = Buffer.alloc(6 * 1024 * 1024, 'x')
    for (const agent of [new Agent({ keepAlive: false }), new Agent({ keepAlive: true, maxSockets: 1 })])
      for (const isChunked of [false, true])
        for (let tries = 0; tries < 5; tries += 1)
          expect(await postWhole(root, body, agent, isChunked)).toEqual([413, { message: 'This is too large' }])
  })

  test('a client that sends its whole body at once reads 413 each time, of 5 and of 20 MB [API-15]', async () => {
    // In a process of its own, which goes on writing while the server answers.
    const client = `
      const [url, token] = process.argv.slice(1)
      const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token }
      const post = (body) => fetch(url, { method: 'POST', headers, body }).then(({ status }) => status, ({ cause }) => cause?.code)
      const answers = []
      for (const megabytes of [5, 20])
        for (let tries = 0; tries < 20; tries += 1) answers.push(await post('"' + 'x'.repeat(megabytes * 1024 * 1024) + '"'))
      console.log(answers.join())`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      client,
      `${app.url}/api/campaigncategory`,
      root.token ?? '',
    ])
    expect(stdout.trim().split(',')).toEqual(Array.from({ length: 40 }, () => '413'))
  })

  test('a request that does not arrive within minutes is ended [API-15]', async () => {
    const alone = await createApp(app.context)
    expect(alone.server.requestTimeout).toBe(300_000)
    await alone.close()
  })

  test('deleting something in use gets 409 [API-15]', async () => {
    const category = await app.make.category()
    await app.make.campaign({ categories: [category.id] })
    expect((await root.call(campaignCategoriesContract.remove, { params: { id: category.id } })).status).toBe(409)
  })

  test('an unavailable database gets 503 with Retry-After [API-15]', async () => {
    const nowhere = connectDatabase('postgresql://nobody@localhost/none?host=/nowhere', app.context.log)
    const alone = await createApp({ ...app.context, ...nowhere })
    const away = await alone.inject({ url: '/api/campaigncategory', headers: { authorization: 'Bearer x' } })
    expect([away.statusCode, away.headers['retry-after']]).toEqual([503, '2'])
    expect(away.json().message).toMatch(/not ready/)
    expect((await alone.inject('/readyz')).statusCode).toBe(503)
    expect((await alone.inject('/healthz')).statusCode).toBe(200)
    expect((await alone.inject('/servez')).statusCode, 'webhooks still arrive, and are kept on disk').toBe(200)
    await alone.close()
    await nowhere.pool.end()
  })

  test('a process that is asked to stop gets no more requests, though it is alive [API-15]', async () => {
    const stopping = { ...app.context }
    const alone = await createApp(stopping)
    const ask = async (path: string) => (await alone.inject(path)).statusCode
    expect([await ask('/servez'), await ask('/readyz')]).toEqual([200, 200])
    await announceShutdown(stopping)
    expect([await ask('/servez'), await ask('/readyz'), await ask('/healthz')]).toEqual([503, 503, 200])
    await alone.close()
  })

  test('however many ask at once, one write shows whether the server is ready [API-15]', async () => {
    let writes = 0
    const db = Object.assign(Object.create(app.context.db), {
      transaction: (run: never) => {
        writes += 1
        return app.context.db.transaction(run)
      },
    })
    const alone = await createApp({ ...app.context, db })
    const answers = await Promise.all(Array.from({ length: 20 }, () => alone.inject('/readyz')))
    expect([answers.every(({ statusCode }) => statusCode === 200), writes]).toEqual([true, 1])
    await alone.close()
  })

  test('a bug returns only "Something went wrong" and a request id; the log has the rest [API-16]', async () => {
    const lines: unknown[] = []
    const note = (fields: unknown) => lines.push(fields)
    const log = { debug: note, info: note, warn: note, error: note } as never
    const broken = await createApp({ ...app.context, log })
    broken.get('/api/broken', () => {
      throw new Error('the secret reason')
    })
    const answer = await broken.inject('/api/broken?token=hunter2')
    expect(answer.statusCode).toBe(500)
    const body = answer.json()
    expect(body).toEqual({ message: 'Something went wrong', request_id: expect.any(String) })
    const logged = lines.find((line) => (line as { err?: Error }).err)
    expect(logged).toMatchObject({
      id: body.request_id,
      err: expect.objectContaining({ message: 'the secret reason' }),
    })
    expect(JSON.stringify(lines)).not.toContain('hunter2')
    await broken.close()
  })
})

describe('queries', () => {
  test('unknown parameters are ignored; a known one with an invalid value is refused by name [API-11]', async () => {
    const lead = await root.fetch('/api/leads/list/data?utm_source=x&nonsense=%00')
    expect(lead.status).toBe(200)
    for (const [name, value] of [
      ['category_id', 'x'],
      ['campaign_ids', '1,x'],
      ['tags', 'Spam,Nothing'],
      ['date_from', '2026-02-30'],
      ['dateRange', '2026-02-01'],
      ['dateRange', '2026-02-01,x'],
      ['lead_type', 'Fax'],
      ['confirmed', '7'],
      ['page', '0'],
      ['per_page', '201'],
    ]) {
      const answer = await root.fetch(`/api/leads/list/data?${name}=${value}`)
      const body = (await answer.json()) as { errors: object }
      expect([answer.status, Object.keys(body.errors)], name).toEqual([422, [name]])
    }
  })

  test('a list counts every value, however its parameter is repeated [API-11]', async () => {
    const campaigns = [await app.make.campaign(), await app.make.campaign(), await app.make.campaign()]
    for (const { id } of campaigns) await app.make.lead({ campaign_id: id })
    const [a, b, c] = campaigns.map(({ id }) => id)
    for (const query of [
      `campaign_ids=${a},${b},${c}`,
      `campaign_ids=${a}&campaign_ids=${b}&campaign_ids=${c}`,
      `campaign_ids[]=${a}&campaign_ids[]=${b}&campaign_ids[]=${c}`,
      `campaign_ids[0]=${a}&campaign_ids[1]=${b}&campaign_ids[2]=${c}`,
      `campaign_ids=${a}&campaign_ids[]=${b},${c}`,
    ]) {
      const answer = await root.fetch(`/api/leads/list/data?${query}`)
      expect(((await answer.json()) as { meta: { total: number } }).meta.total, query).toBe(3)
    }
  })

  test('cache changes nothing: a list right after a write shows the write [API-12]', async () => {
    await root.call(campaignCategoriesContract.list, { query: { cache: 1 } })
    const { body: made } = await root.call(campaignCategoriesContract.create, { body: { name: 'Just now' } })
    const { body: list } = await root.call(campaignCategoriesContract.list, { query: { cache: 1 } })
    expect(list.map((category: { id: number }) => category.id)).toContain(made.id)
  })

  test('a call without a body may still have the JSON content type', async () => {
    const leaving = await app.as(await app.make.superAdmin())
    expect((await leaving.fetch('/api/user/logout', { method: 'POST', headers: json })).status).toBe(204)
  })
})

test('a change is in the audit log with who, what, before and after; the log itself cannot be changed [API-19]', async () => {
  const category = await app.make.category({ name: 'Before' })
  const user = await app.make.superAdmin()
  await (await app.as(user)).call(campaignCategoriesContract.update, {
    params: { id: category.id },
    body: { name: 'After', color: '#ffffff' },
  })
  const { rows } = await app.context.pool.query(
    `select * from audit where kind = 'campaign category' and row_id = $1`,
    [category.id],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    user_id: user.id,
    username: user.username,
    action: 'changed',
    before: { name: 'Before' },
    after: { name: 'After' },
  })
  expect(rows[0].at).toBeInstanceOf(Date)
  for (const change of ['update audit set username = null', 'delete from audit', 'truncate audit'])
    await expect(app.context.pool.query(change)).rejects.toThrow('append-only')
})

test('addresses in logs contain no token, and nothing that someone typed [API-20]', () => {
  expect(maskUrl('/x?token=a&page=1&api_token=c%20d&auth_key=e#f')).toBe(
    '/x?token=***&page=1&api_token=***&auth_key=***#f',
  )
  expect(maskUrl('/gmb-manager?code=4/secret&state=1')).toBe('/gmb-manager?code=***&state=***')
  expect(maskUrl('/api/hooks/in/key-of-a-source?x=1')).toBe('/api/hooks/in/***?x=***')
  expect(maskUrl('/api/report/key-of-a-report.pdf')).toBe('/api/report/***.pdf')
  expect(maskUrl('/api/recording/1/stream?by=1&signature=secret')).toBe('/api/recording/1/stream?by=***&signature=***')
  expect(maskUrl('/rate?auth%5Fkey=secret&TOKEN=x&%=1')).toBe('/rate?***=***&TOKEN=***&***=***')
  expect(maskUrl('/rate?auth_key[]=secret&token%5B0%5D=x')).toBe('/rate?auth_key[]=***&***=***')
  const list = '/api/leads/list/data'
  expect(maskUrl(`${list}?lead_search=ann@a.example&page=2&per_page=200&sort=lead_date&order=desc`)).toBe(
    `${list}?lead_search=***&page=2&per_page=200&sort=lead_date&order=desc`,
  )
  expect(maskUrl(`${list}?page=4075555016&sort=Ann%20Lee&order=ann@a.example`)).toBe(
    `${list}?page=***&sort=***&order=***`,
  )
  expect(maskUrl(`${list}?ann@a.example&lead_search=a?b=ann`)).toBe(`${list}?***&lead_search=***`)
  expect(maskUrl('/api/lead/12345678/history')).toBe('/api/lead/12345678/history')
  for (const typed of ['ann@a.example', 'ann%40a.example', 'Ann%20Lee', '+14075555016', '4075555016'])
    expect(maskUrl(`/leads/${typed}/x`)).toBe('/leads/***/x')
})

test('addresses in logs contain no key that opens something without a sign-in [API-20]', () => {
  const steps = 'PUT /home/steps/:key' // names of steps
  const endpoints = allEndpoints.map(({ endpoint }) => endpoint).filter(({ address }) => address !== steps)
  const byKey = endpoints.map(({ path }) => path).filter((path) => /:key\b/.test(path))
  expect(byKey).toContain('/statement/:key')
  for (const path of byKey)
    for (const start of ['/api', ''])
      expect(maskUrl(`${start}${path.replace(':key', '12-Ab_9.x')}`)).toBe(`${start}${path.replace(':key', '***')}`)
})

test('no line of the log has what was searched for, even if its query fails [API-20]', async () => {
  const lines: string[] = []
  const log = pino(
    { level: 'debug', serializers: { err: serializeError } },
    { write: (line: string) => void lines.push(line) },
  )
  const noted = await startApp({ log })
  const admin = await noted.as(await noted.make.superAdmin())
  const calls = allEndpoints.map(({ endpoint }) => endpoint).filter(({ method, query }) => method === 'GET' && query)
  const search = async () => {
    for (const { path, query } of calls) {
      const names = query instanceof z.ZodObject ? Object.keys(query.shape) : []
      const asked = names.map((name) => `${name}=zelda@person.example`).join('&')
      const address = `/api${path.replace(/:\w+/g, '1')}`
      for (const one of [asked, 'search=zelda@person.example', 'lead_search=zelda@person.example']) {
        if (path === '/leads/events') continue
        await (await admin.fetch(`${address}?${one}`)).text()
      }
    }
  }
  await search()
  for (const table of ['leads', 'clients', 'campaigns'])
    await noted.context.pool.query(`alter table ${table} rename to gone_${table}`)
  await search()
  expect(lines.filter((line) => line.includes('"status":500')).length).toBeGreaterThan(5)
  expect(lines.filter((line) => line.includes('request failed')).length).toBeGreaterThan(5)
  expect(lines.filter((line) => line.includes('zelda'))).toEqual([])
  await noted.close()
})

test('the campaigns picker shows each person theirs, by name', async () => {
  const [b, a] = [await app.make.campaign({ name: 'b' }), await app.make.campaign({ name: 'A' })]
  const admin = await app.as(await app.make.admin({ campaigns: [a.id, b.id], permissions: ['leads'] }))
  expect((await admin.call(campaignsContract.all)).body.map((one: { name: string }) => one.name)).toEqual(['A', 'b'])
  const handler = await app.as(await app.make.handler({ campaigns: [b.id] }))
  expect((await handler.call(campaignsContract.all)).body).toEqual([{ id: b.id, name: 'b', archived: 0 }])
  const customer = await app.as(await app.make.customer({ client_id: a.client_id }))
  expect((await customer.call(campaignsContract.all)).body).toEqual([{ id: a.id, name: 'A', archived: 0 }])
})

test('the API describes itself as OpenAPI 3.1, to staff and on the machine itself', async () => {
  const answer = await app.guest.fetch('/api/openapi.json')
  const api = (await answer.json()) as { openapi: string; paths: Record<string, Record<string, unknown>> }
  expect(api.openapi).toBe('3.1.0')
  expect(api.paths['/api/campaigncategory/{id}']).toHaveProperty('put.requestBody')
  expect(api.paths['/api/client-resource/{id}']).toHaveProperty('patch.responses.409.content')
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  expect((await app.guest.fetch('/api/openapi.json', { headers: forwarded })).status).toBe(403)
  expect((await root.fetch('/api/openapi.json', { headers: forwarded })).status).toBe(200)
  const cookie = `theme=dark; leadline_token=${root.token}`
  expect((await app.guest.fetch('/api/openapi.json', { headers: { ...forwarded, cookie } })).status).toBe(403)
  const page = await app.guest.fetch('/api/docs', { headers: forwarded })
  expect([page.status, (await page.text()).includes('campaign')]).toEqual([200, false])
})

test('a request through any proxy, or for another host, is none of this machine', async () => {
  const { port } = new URL(app.url)
  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      http
        .get({ port, host: '127.0.0.1', path, headers }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
    })
  const proxied = [
    ...[
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-forwarded-server',
      'x-forwarded',
      'forwarded',
      'via',
    ],
    ...['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'x-cluster-client-ip', 'x-original-url'],
  ]
  for (const path of ['/metrics', '/api/openapi.json']) {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect(await ask(path, { host }), host).toBe(200)
    for (const host of ['rebound.example', `rebound.example:${port}`, '127.0.0.1.example', 'localhost.example'])
      expect(await ask(path, { host }), host).toBe(403)
    for (const name of proxied) expect(await ask(path, { [name]: 'x' }), name).toBe(403)
  }
})

test('two Host headers are refused', async () => {
  const { port } = new URL(app.url)
  const ask = (hosts: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), '127.0.0.1', () =>
        socket.write(
          `GET /healthz HTTP/1.1\r\n${hosts.map((host) => `${host}\r\n`).join('')}Connection: close\r\n\r\n`,
        ),
      )
      let text = ''
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      socket.on('end', () => resolve(text.split('\r\n')[0]!)).on('error', reject)
    })
  expect(await ask(['Host: a.example'])).toBe('HTTP/1.1 200 OK')
  expect(await ask(['Host: a.example', 'Host: b.example'])).toBe('HTTP/1.1 400 Bad Request')
  expect(await ask(['Host: a.example', 'hOST: a.example'])).toBe('HTTP/1.1 400 Bad Request')
  expect(await ask([])).toBe('HTTP/1.1 400 Bad Request')
})

test('responses may not be framed, sniffed or cached, and run nothing inline (R22)', async () => {
  const { headers } = await root.fetch('/api/campaigncategory')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}=')?;/) // the page's own script, by its text
  expect(policy).toContain("style-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
})
