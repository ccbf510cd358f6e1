import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NetworkAdapter } from '#integrations/outbound/network-access.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { readCorpus } from '#test/corpus.ts'
import { probeSite } from './request-site.ts'

type SiteCase = {
  source: string
  what: string
  /** What the server sends, byte for byte; `{x*20000}` stands for that many x. */
  answer: string
  /** What it sends to a browser, with a cookie, and for other addresses, if that is something else. */
  browser?: string
  withCookie?: string
  others?: string
  port?: number
  outcome: 'live' | 'down' | 'unknown'
  problem?: string
}

let site: Pick<SiteCase, 'answer' | 'browser' | 'withCookie' | 'others'>
let requests = 0
const server = createServer((socket) => {
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (data) => {
    received += data.toString('latin1')
    if (!received.includes('\r\n\r\n')) return
    requests += 1
    respond(socket, received)
  })
})
const world: NetworkAdapter = {
  resolve: async () => ['203.0.113.9'],
  namesResolve: async () => true,
  reverse: async () => null,
  connect: () => connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }),
}
const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, world)
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

function respond(socket: Socket, request: string) {
  const isFirst = request.startsWith('GET / HTTP/1.1\r\nhost: site.example')
  const isBrowser =
    /^user-agent: .*Chrome\/(?!.*bot)/im.test(request) &&
    /^accept-language: /im.test(request) &&
    /^accept: text\/html/im.test(request) &&
    /^sec-fetch-mode: navigate/im.test(request)
  const hasCookie = /^cookie: seen=1\r$/im.test(request)
  const text =
    (isBrowser ? site.browser : undefined) ??
    (hasCookie ? site.withCookie : undefined) ??
    (isFirst ? undefined : site.others) ??
    site.answer
  socket.end(
    Buffer.from(
      text.replace(/\{([^{}]+)\*(\d+)\}/g, (_, part: string, times: string) => part.repeat(Number(times))),
      'latin1',
    ),
  )
}

test.each(readCorpus<SiteCase>('sites'))('$what: $outcome ($source) [EDGE-10]', async (example) => {
  site = example
  const { outcome, problem } = await probeSite(
    outbound,
    `http://site.example${example.port ? `:${example.port}` : ''}/`,
  )
  expect({ outcome, problem }).toEqual({ outcome: example.outcome, problem: example.problem ?? null })
})

test('a check asks once, and twice where it is refused [EDGE-10]', async () => {
  const asked = async (answer: string) => {
    site = { answer }
    requests = 0
    await probeSite(outbound, 'http://site.example/')
    return requests
  }
  expect(await asked('HTTP/1.1 200 OK\r\n\r\nhello')).toBe(1)
  expect(await asked('HTTP/1.1 403 Forbidden\r\n\r\n')).toBe(2)
  expect(await asked('HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n')).toBe(2)
})
