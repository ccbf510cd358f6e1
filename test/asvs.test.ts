import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { SecretBox } from '#core/secrets/secrets.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { signInFailuresTable } from '#domains/access/schema.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { until } from '#test/until.ts'

/** Items of OWASP's ASVS 5.0 that no other file tests; docs/asvs.md says where each one is tested. */
const app = await setUp(startApp({ settings: { PUBLIC_URL: 'https://leadline.example' } }))
const root = await app.as(await app.make.superAdmin())
beforeEach(() => app.context.db.delete(signInFailuresTable))

const signIn = (username: string, typed = password) =>
  app.guest.call(sessionContract.login, { body: { username, password: typed } })

/** Sends raw bytes, and returns the status lines of the responses until the server closes the connection. */
const sendBytes = async (text: string): Promise<string[]> => (await sendRequest(text)).match(/HTTP\/1\.1 \d+/g) ?? []

/** Sends raw bytes, and returns all that the server answers. */
function sendRequest(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => {}) // `close` follows
    socket.on('close', () => resolve(answer))
    socket.write(text) // without ending: a server may take that for a client that has left
  })
}

test('another site’s form changes nothing: no call accepts form data, or a cookie as a session (ASVS 3.5.1, 3.5.2, 3.5.3)', async () => {
  const before = await app.dump()
  const all = allEndpoints.map(({ endpoint }) => endpoint)
  const writes = all.filter(({ method, allow }) => method !== 'GET' && !allow.guests)
  expect(writes.length).toBeGreaterThan(100)
  const types = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']
  for (const [index, { method, path }] of writes.entries()) {
    const answer = await app.guest.fetch(`/api${path.replace(/:\w+/g, '1')}`, {
      method,
      headers: {
        'content-type': types[index % types.length]!,
        cookie: `token=${root.token}`,
        origin: 'https://evil.example',
      },
      body: 'username=admin&password=admin',
    })
    expect([method, path, answer.status]).toEqual([method, path, 401])
  }
  expect(await app.dump()).toBe(before)
})

test('a browser’s cookie is Secure over TLS, HttpOnly, SameSite and bound to its path, and a signed-out session’s token grants nothing (ASVS 3.3.2, 7.4.1)', async () => {
  const user = await app.make.admin()
  const answer = await signIn(user.username)
  const [cookie = ''] = answer.headers.getSetCookie()
  for (const part of ['; Secure', '; HttpOnly', '; SameSite=Strict', '; Path=/api/user;'])
    expect(cookie).toContain(part)
  const me = caller(app.url, answer.body.token)
  expect((await me.call(sessionContract.logout, { body: {} })).status).toBe(204)
  expect((await me.call(sessionContract.me)).status).toBe(401)
})

test('each sign-in makes a new token, and never adopts one that was sent along (ASVS 7.2.3, 7.2.4)', async () => {
  const user = await app.make.admin()
  const first = (await signIn(user.username)).body.token
  const fixed = await caller(app.url, first).call(sessionContract.login, {
    body: { username: user.username, password },
  })
  expect(fixed.body.token).not.toBe(first)
  expect(Buffer.from(fixed.body.token, 'base64url')).toHaveLength(32)
})

test('requests that two servers could read differently are refused (ASVS 4.2.1)', async () => {
  const head = 'POST /api/user/login HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n'
  const smuggled = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
  const tried: Record<string, string> = {
    'a length and chunks': `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'two lengths': `${head}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    'chunks that are none': `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${smuggled}`,
    'another coding after chunked': `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    'a blank before the colon': `${head}Content-Length : 0\r\n\r\n${smuggled}`,
    'a line feed alone': `${head}X-A: b\nContent-Length: 0\r\n\r\n${smuggled}`,
  }
  for (const [name, text] of Object.entries(tried)) {
    const statuses = await sendBytes(text)
    expect([name, statuses.length]).toEqual([name, 1])
    expect([name, statuses[0]]).toEqual([name, expect.stringMatching(/ 4\d\d$/)])
  }
})

test('only the built web is served: no path traversal, no directory listing, no file of the checkout (ASVS 5.3.2, 13.4.1, 13.4.3)', async () => {
  const ways = ['../../package.json', '..%2f..%2fpackage.json', '%2e%2e/%2e%2e/package.json', '..%5c..%5cpackage.json']
  const paths = [...ways.map((way) => `/assets/${way}`), '/assets/', '/assets', '/api/file/..%2f..%2fsecret.key']
  for (const path of paths) {
    const [line] = await sendBytes(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect([path, line]).toEqual([path, expect.stringMatching(/ 4\d\d$/)])
  }
  // Every other address is not found, or serves the page, if it is built.
  const page = await (await app.guest.fetch('/')).text()
  for (const path of ['/.git/config', '/.env', '/package.json', '/data/secret.key', '/migrations/meta/_journal.json'])
    expect(['{"message":"Not found"}', page], path).toContain(await (await app.guest.fetch(path)).text())
})

test('no address redirects to another host, whatever it contains (ASVS 3.7.2)', async () => {
  const hosts = [
    '//evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    '/https:%2f%2fevil.example',
    '/@evil.example',
  ]
  const paths = hosts.flatMap((host) => [
    ...[host, `${host}/..`, `/assets${host}`, `/report${host}.pdf`, `${host}/report/x.pdf`],
    ...[`/api/report-unsubscribe${host}`, `/report/x.pdf?next=${host}`, `/login?next=${host}`],
  ])
  const own = [new URL(app.url).host, 'leadline.example']
  let redirected = 0
  for (const path of [...paths, '/report/x.pdf']) {
    const [head = ''] = (await sendRequest(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).split(
      '\r\n\r\n',
    )
    const location = /^location: (.*)$/im.exec(head)?.[1]
    if (location === undefined) continue
    redirected += 1
    expect([path, own]).toEqual([path, expect.arrayContaining([new URL(location, app.url).host])])
  }
  expect(redirected).toBeGreaterThan(0)
})

test('a password may be long and of any characters; every character counts, and a common one is refused (ASVS 6.2.1, 6.2.4, 6.2.5, 6.2.8, 6.2.9, 6.2.12)', async () => {
  const user = await app.make.admin()
  const change = async (old_password: string, new_password: string) => {
    const me = await app.as(user)
    const body = { old_password, new_password, new_password_confirmation: new_password }
    return (await me.call(sessionContract.updateProfile, { body })).status
  }
  for (const refused of ['sieben7', 'x'.repeat(129), 'password123', 'qwertyuiop', 'PASSWORD123'])
    expect([refused, await change(password, refused)]).toEqual([refused, 422])
  const long = ` four Wörter 馬 🐎 ${'y'.repeat(110)}`.slice(0, 128)
  expect(await change(password, long)).toBe(200)
  for (const wrong of [long.slice(0, 127), `${long.slice(0, 127)}z`, long.trim(), long.toUpperCase()])
    expect((await signIn(user.username, wrong)).body.token).toBeUndefined()
  expect((await signIn(user.username, long)).body.token).toBeDefined()
})

test('a repeated parameter is refused, and none is taken from elsewhere (ASVS 15.3.7)', async () => {
  const twice = await root.fetch('/api/leads/list/data?page=1&page=2')
  expect(twice.status).toBe(422)
  const inQuery = await root.fetch('/api/campaigncategory?name=Injected', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(inQuery.status).toBe(422)
})

test('the log has each request and refusal with id, person, address and time, one JSON object per line, whatever a stranger sends (ASVS 16.2.1–16.2.2, 16.2.4, 16.3.2, 16.3.3, 16.4.1)', async () => {
  let written = ''
  const log = pino({ level: 'info', timestamp: pino.stdTimeFunctions.isoTime }, { write: (text) => (written += text) })
  const heard = await startApp({ log })
  try {
    const forged = '\n{"level":30,"msg":"forged"}\u2028\r\0'
    const typed = { username: `admin${forged}`, password: forged }
    const refused = await heard.guest.call(sessionContract.login, { body: typed })
    await heard.guest.fetch(`/api/nothing?${encodeURIComponent(forged)}=${encodeURIComponent(forged)}`)
    const user = await heard.make.admin({ permissions: [] })
    const me = await heard.as(user)
    for (const path of ['/api/user/me', '/api/admin/admins', '/api/lead/999999', '/api/leads/list/data?page=0'])
      await (await me.fetch(path)).text()
    await (await heard.guest.fetch('/api/campaigns')).text()
    const readLines = () =>
      written
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    const readRequests = () => readLines().filter(({ msg }) => msg === 'request')
    await until(() => readRequests().length === 7) // a line is written after its response
    expect(written).not.toMatch(/[\r\0]/)
    expect(readLines().filter(({ msg }) => msg === 'forged')).toEqual([])
    const requests = readRequests()
    expect(requests.map(({ status, user }) => [status, user])).toEqual([
      [refused.status, undefined],
      [404, undefined],
      [200, user.id],
      ...Array.from({ length: 3 }, () => [403, user.id]),
      [401, undefined],
    ])
    for (const { id, address, time, route } of requests) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect([address, typeof route]).toEqual(['127.0.0.1', 'string'])
      expect(new Date(time).toISOString()).toBe(time)
    }
  } finally {
    await heard.close()
  }
})

test('an encrypted value decrypts only unchanged, in its place, with its key, and looks different each time (ASVS 11.3.1, 11.3.2, 11.3.3)', () => {
  const box = new SecretBox('5e'.repeat(32))
  const sealed = box.seal('secret', 'client_sites.hook_key:1')
  expect(box.open(sealed, 'client_sites.hook_key:1')).toBe('secret')
  expect(box.seal('secret', 'client_sites.hook_key:1')).not.toEqual(sealed)
  expect(() => box.open(sealed, 'client_sites.hook_key:2')).toThrow()
  expect(() => new SecretBox('5f'.repeat(32)).open(sealed, 'client_sites.hook_key:1')).toThrow()
  for (let index = 0; index < sealed.length; index += 1) {
    const altered = Buffer.from(sealed)
    altered[index]! ^= 1
    expect(() => box.open(altered, 'client_sites.hook_key:1')).toThrow()
  }
})

test('each item that is met names a test or command, which exists', () => {
  const rows = readFileSync(join(projectRoot, 'docs/asvs.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, item]) => /^\d+\.\d+\.\d+/.test(item ?? ''))
  expect(rows.length).toBeGreaterThan(150)
  const states = new Set(rows.map(([, , state]) => state))
  expect([...states].sort()).toEqual(['met', 'n/a', 'not met', 'operator', 'partly'])
  const untried = rows.filter(([, , state, , tried]) => state === 'met' && !tried).map(([, item]) => item)
  expect(untried).toEqual([])
  // The other test of that page checks that the files exist; this one checks that they mention their items.
  const here = readFileSync(join(import.meta.dirname, 'asvs.test.ts'), 'utf8')
  const namedHere = rows.filter(([, , , , tried]) => tried?.includes('test/asvs.test.ts')).map(([, item]) => item!)
  expect(namedHere.filter((item) => !item.split('–').some((one) => here.includes(one)))).toEqual([])
})
