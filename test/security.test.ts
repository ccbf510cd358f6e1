import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'
import { secondStepContract } from '#domains/access/second-factor/contract.ts'
import { createRemoteToken } from '#domains/access/server/session-tokens.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'

/** The security headers of every response, and that no response opens anything to another site. */
const app = await setUp(startApp({ settings: { PUBLIC_URL: 'https://leadline.example' } }))
const token = (await app.as(await app.make.superAdmin())).token!

const signed = () => ({ authorization: `Bearer ${token}` })
const json = { 'content-type': 'application/json' }
/** One of each kind of response: a list, a page, an unknown address, and each kind of refusal. */
const kinds: [string, string, () => RequestInit][] = [
  ['a list', '/api/campaigncategory', () => ({ headers: signed() })],
  ['a guest', '/api/campaigncategory', () => ({})],
  ['the page', '/login', () => ({})],
  ['an unknown address', '/api/nothing', () => ({})],
  ['a missing asset', '/assets/none.js', () => ({})],
  ['a wrong shape', '/api/campaigncategory', () => ({ method: 'POST', headers: { ...signed(), ...json }, body: '{}' })],
  ['no JSON', '/api/campaigncategory', () => ({ method: 'POST', headers: { ...signed(), ...json }, body: '{' })],
  ['a wrong signature', '/api/hooks/callrail', () => ({ method: 'POST', headers: json, body: '{}' })],
  ['a sign-in', '/api/user/login', () => ({ method: 'POST', headers: json, body: '{"username":"a","password":"b"}' })],
  ['health', '/healthz', () => ({})],
]

describe.each(kinds)('%s', (_, path, init) => {
  test('has security headers: nothing inline, framed, sniffed or passed on, and only over TLS (R22)', async () => {
    const { headers } = await app.guest.fetch(path, init())
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(part)
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}=')?;/) // the page's own script, by its text
    expect(policy).not.toMatch(/unsafe-|\*;|data:.*script/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('strict-transport-security')).toMatch(/max-age=31536000; includeSubDomains/)
    expect(headers.get('content-type')).toMatch(/charset=utf-8/)
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
  })

  test('sets no cookie, and opens nothing to another site', async () => {
    const { headers: given = {}, ...rest } = init()
    const headers = { ...(given as Record<string, string>), origin: 'https://evil.example' }
    const answer = await app.guest.fetch(path, { ...rest, headers })
    expect(answer.headers.get('set-cookie')).toBeNull()
    const opened = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect(opened).toEqual([])
  })
})

test('every file that the security pages name exists', () => {
  const text = ['docs/security.md', 'docs/asvs.md']
    .map((page) => readFileSync(join(projectRoot, page), 'utf8'))
    .join('\n')
  const named = [...text.matchAll(/`((?:src|test|docs)\/[\w./-]+)`|\]\(([\w./-]+\.md)\)/g)]
  expect(named.length).toBeGreaterThan(20)
  const files = named.map(([, file, link]) => join(projectRoot, file ?? join('docs', link!)))
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})

test('a preflight from another site gets no permission', async () => {
  const preflight = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  const answer = await app.guest.fetch('/api/user/me', { method: 'OPTIONS', headers: preflight })
  expect(answer.status).toBe(404)
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
})

test('a cookie is never a session, whatever it contains', async () => {
  const { status } = await app.guest.fetch('/api/user/me', {
    headers: { cookie: `token=${token}; session=${token}; api_token=${token}` },
  })
  expect(status).toBe(401)
})

test('more than a megabyte is refused as too large, and not kept while it is read (R11)', async () => {
  const body = new Uint8Array(randomBytes(1024 * 1024 + 1))
  for (const path of ['/api/campaigncategory', '/api/hooks/callrail'])
    expect((await app.guest.fetch(path, { method: 'POST', headers: { ...signed(), ...json }, body })).status).toBe(413)
})

test('files that crawlers and scanners look for are not found; every other address has the page', async () => {
  const statuses = async (paths: string[]) =>
    Object.fromEntries(
      await Promise.all(paths.map(async (path) => [path, (await app.guest.fetch(path)).status] as const)),
    )
  const files = [
    '/robots.txt',
    '/favicon.ico',
    '/.env',
    '/.git/config',
    '/.well-known/security.txt',
    '/wp-login.php?a=1',
  ]
  expect(await statuses(files)).toEqual(Object.fromEntries(files.map((path) => [path, 404])))
  const pages = [
    '/',
    '/login',
    '/network-sites?search=a.example',
    '/lead/3',
    '/no-such-page',
    '/sites/a.example',
    '/%5Cevil.example',
  ]
  expect(await statuses(pages)).toEqual(Object.fromEntries(pages.map((path) => [path, 200])))
})

test('unused HTTP methods are refused', async () => {
  const answered = (method: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${app.url}/api/user/me`, { method, headers: signed() }, ({ statusCode }) =>
        resolve(statusCode),
      )
      asked.on('error', reject).end()
    })
  for (const method of ['TRACE', 'PROPFIND', 'LOCK']) expect(await answered(method), method).toBeGreaterThanOrEqual(400)
})

test('the log says whether each sign-in worked, how, from where and for whom, but never what was typed [API-20]', async () => {
  const lines: object[] = []
  const note = ({ address, ...fields }: { address?: string }, message?: string) => {
    if (message !== 'request' && address === '127.0.0.1') lines.push({ message, ...fields })
  }
  const heard = await startApp({ log: { debug: note, info: note, warn: note, error: note } as never })
  try {
    const user = await heard.make.admin()
    const customer = await heard.make.customer()
    const link = await createRemoteToken(heard.context.db, heard.context.secrets, customer.id)
    const signIn = (username: string, typed: string) =>
      heard.guest.call(sessionContract.login, { body: { username, password: typed } })
    const byLink = (token: string) => heard.guest.call(sessionContract.authByToken, { body: { token } })
    await signIn(user.username, 'typed by mistake')
    await signIn('my secret word', 'typed by mistake')
    const me = caller(heard.url, (await signIn(user.username, password)).body.token)
    await byLink('an old link')
    await byLink(link)
    for (const typed of ['typed by mistake', password])
      await me.call(secondStepContract.reauthenticate, { body: { password: typed } })
    expect(lines).toMatchObject([
      { message: 'sign-in', user: user.id, outcome: 'refused' },
      { message: 'sign-in', user: undefined, outcome: 'refused' },
      { message: 'sign-in', user: user.id, outcome: 'done' },
      { message: 'sign-in by a link', user: undefined, outcome: 'refused' },
      { message: 'sign-in by a link', user: customer.id, outcome: 'done' },
      { message: 'reauthentication', user: user.id, outcome: 'refused', by: 'password' },
      { message: 'reauthentication', user: user.id, outcome: 'done', by: 'password' },
    ])
    for (const typed of ['mistake', 'secret', 'old link', link, password])
      expect(JSON.stringify(lines)).not.toContain(typed)
  } finally {
    await heard.close()
  }
})
