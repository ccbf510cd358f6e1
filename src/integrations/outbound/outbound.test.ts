import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { startLocalSites } from '../fakes/sites.ts'
import type { NetworkAdapter } from './network-access.ts'
import { OutboundClient } from './outbound.ts'
import type { OutboundError } from './outbound-problem.ts'

/**
 * These tests do not rely on the text of an address: each case has a server that counts the requests it gets, and a network that
 * would connect any address to it.
 */
const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function server(listener: RequestListener = (_request, response) => response.end('secret')) {
  let reached = 0
  const one = createServer((request, response) => {
    reached += 1
    listener(request, response)
  })
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    one.closeAllConnections()
    one.close()
  })
  const { port } = one.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, reached: () => reached }
}

/** A network in which every connection ends at that port of this machine; `tried` has the addresses that were requested. */
function worldTo(port: number, names: Record<string, string[]> = {}) {
  const tried: string[] = []
  const world: NetworkAdapter = {
    resolve: async (name) => names[name] ?? [],
    namesResolve: async () => true,
    reverse: async () => null,
    connect: (address) => {
      tried.push(address)
      return connect({ host: '127.0.0.1', port })
    },
  }
  return { world, tried }
}

const problemOf = async (call: Promise<unknown>): Promise<OutboundError> =>
  call.then(
    () => {
      throw new Error('It was answered')
    },
    (error) => error,
  )

const spellings = [
  // Loopback, as people and parsers write it.
  ...[
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
  ],
  ...[
    'http://0177.0.0.1/',
    'http://0177.0.0.01/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://127.127.127.127/',
  ],
  ...[
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http:127.0.0.1',
    'http:/127.0.0.1',
  ],
  ...[
    'http://0/',
    'http://0.0.0.0/',
    'http://0x0/',
    'http://00000000000/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
  ],
  // IPv4 inside IPv6.
  ...[
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
  ],
  ...['http://[64:ff9b::7f00:1]/', 'http://[64:ff9b:1::7f00:1]/', 'http://[2002:7f00:1::]/', 'http://[2002:a00:1::]/'],
  ...[
    'http://[2001:0:7f00:1::]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::ffff:10.0.0.1]/',
  ],
  // Private and shared networks, link-local addresses, and the metadata services of clouds.
  ...[
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
  ],
  ...[
    'http://0300.0250.1/',
    'http://3232235521/',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://169.254.169.254/',
  ],
  ...['http://2852039166/', 'http://0xa9fea9fe/', 'http://168.63.129.16/', 'http://192.0.0.192/', 'http://198.18.0.1/'],
  ...[
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[100::1]/',
  ],
  // Addresses that are not hosts.
  ...[
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://192.0.2.1/',
    'http://[2001:db8::1]/',
  ],
]

test('no spelling of a private address is connected to, out of more than sixty (R17) [NS-32]', async () => {
  expect(new Set(spellings).size).toBeGreaterThanOrEqual(60)
  const { port, reached } = await server()
  const { world, tried } = worldTo(port)
  const outbound = new OutboundClient({}, world)
  for (const spelling of spellings) {
    const problem = await problemOf(outbound.request(spelling))
    expect([spelling, problem.kind]).toEqual([spelling, 'refused'])
  }
  expect([tried, reached()]).toEqual([[], 0])
})

test('a name with a private address is refused (R17) [NS-32]', async () => {
  const { port, reached } = await server()
  const addresses = [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:192.168.1.1',
    'fd00::1',
    '0.0.0.0',
    '64:ff9b::a00:1',
  ]
  const names = Object.fromEntries(addresses.map((address, index) => [`n${index}.example`, [address]]))
  const { world, tried } = worldTo(port, names)
  for (const name of Object.keys(names)) {
    const problem = await problemOf(new OutboundClient({}, world).request(`http://${name}/`))
    expect([name, problem.kind]).toEqual([name, 'refused'])
  }
  expect([tried, reached()]).toEqual([[], 0])
})

test('a name that resolves to a public address first and to a private one later is connected only at the checked address (R17) [NS-32]', async () => {
  const { port, reached } = await server()
  const { world, tried } = worldTo(port)
  let lookups = 0
  world.resolve = async () => (lookups++ === 0 ? ['93.184.215.14'] : ['127.0.0.1'])
  // The connection to the public address ends at this machine, as with DNS rebinding.
  const problem = await problemOf(new OutboundClient({}, world).request('http://rebinds.example/'))
  expect([problem.kind, lookups, tried, reached()]).toEqual(['refused', 1, ['93.184.215.14'], 0])
})

test('each redirect is checked again, and only the web is followed (R17) [NS-32]', async () => {
  const sites = await startLocalSites()
  open.push(sites.close)
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, sites.world)
  sites.add('inner.example', { '/': 'secret' }, '10.0.0.7')
  sites.add('inward.example')
  for (const location of [
    'http://127.0.0.2/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://inner.example/',
  ]) {
    sites.known.get('inward.example')!.answer = (_request, response) => response.writeHead(302, { location }).end()
    const problem = await problemOf(outbound.request('http://inward.example/'))
    expect([location, problem.kind, problem.hops.length]).toEqual([location, 'refused', 1])
  }
  for (const location of [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://127.0.0.1/',
    'http://user:pass@inward.example/',
    'http://[',
    `http://${'x'.repeat(9000)}.example/`,
  ]) {
    sites.known.get('inward.example')!.answer = (_request, response) => response.writeHead(302, { location }).end()
    expect([location.slice(0, 30), (await problemOf(outbound.request('http://inward.example/go'))).kind]).toEqual([
      location.slice(0, 30),
      'refused',
    ])
  }
  expect(sites.requests.filter((request) => request.includes('inner.example'))).toEqual([])
})

test('public addresses are connected to only on web ports, an allowed range on every port (R17) [NS-32]', async () => {
  const { port, origin, reached } = await server()
  const { world, tried } = worldTo(port, { 'public.example': ['93.184.215.14'] })
  for (const other of [22, 25, 6379, 8080])
    expect((await problemOf(new OutboundClient({}, world).request(`http://public.example:${other}/`))).kind).toBe(
      'refused',
    )
  for (const other of [22, 25, 42, 44])
    expect((await problemOf(new OutboundClient({}, world).converse('public.example', other, 'x'))).kind).toBe('refused')
  expect([tried, reached()]).toEqual([[], 0])
  await problemOf(new OutboundClient({}, world).converse('public.example', 43, 'x'))
  expect(tried, 'WHOIS').toEqual(['93.184.215.14'])
  const heard = await new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.0/8'] }).request(origin)
  expect([await heard.text(), heard.hops[0]?.address]).toEqual(['secret', '127.0.0.1'])
  const configured = await new OutboundClient({}).request(origin, { configured: origin })
  expect(await configured.text()).toBe('secret')
})

test('a redirect loop ends, and so does a long chain of redirects', async () => {
  const sites = await startLocalSites()
  open.push(sites.close)
  sites.add('round.example', { '/': '/a', '/a': '/b', '/b': '/' })
  sites.add('line.example').answer = (request, response) =>
    response.writeHead(302, { location: `${request.url}x` }).end()
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.0/8'] }, sites.world)
  const circle = await problemOf(outbound.request('http://round.example/'))
  expect([circle.kind, circle.message, circle.hops.map(({ status }) => status)]).toEqual([
    'redirects',
    'Redirects in a circle',
    [301, 301, 301],
  ])
  const line = await problemOf(outbound.request('http://line.example/'))
  expect([line.kind, line.message, line.hops.length]).toEqual(['redirects', 'Redirects more than 5 times', 6])
})

test('the total time is limited: for a dripping body, a missing response, and dripping headers (R17)', async () => {
  const drips = await server((_request, response) => {
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const silent = await server(() => {})
  const heads = await server((request) => {
    request.socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => request.socket.write('x: y\r\n'), 20)
    request.socket.on('close', () => clearInterval(drip))
  })
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.0/8'] })
  for (const { origin } of [drips, silent, heads]) {
    const problem = await problemOf(outbound.request(origin, { milliseconds: 400 }).then((heard) => heard.text()))
    expect(problem.kind).toBe('late') // without a limit the request would never end
  }
})

test('a body that is too large is refused, compressed or not (R17)', async () => {
  const endless = await server((_request, response) => {
    const write = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', write)
    }
    write()
    response.on('close', () => response.removeAllListeners('drain'))
  })
  const bomb = await server((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
  )
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.0/8'] })
  for (const { origin } of [endless, bomb]) {
    const heard = await outbound.request(origin, { mostBytes: 100_000 })
    expect((await problemOf(heard.text())).kind).toBe('too large')
  }
})

test('an untrusted certificate is an error, unless the caller only inspects it', async () => {
  const sites = await startLocalSites({ certificateEnds: new Date('2031-05-06T07:08:09Z') })
  open.push(sites.close)
  sites.add('safe.example')
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.0/8'] }, sites.world)
  expect((await problemOf(outbound.request('https://safe.example/'))).kind).toBe('certificate')
  const heard = await outbound.request('https://safe.example/', { anyCertificate: true })
  heard.close()
  expect(heard.hops[0]).toMatchObject({ status: 200, certificate: { ends: new Date('2031-05-06T07:08:09Z') } })
})

test('requests have no cookies, referrer or credentials, and name their user agent (R17)', async () => {
  const headers: Record<string, unknown>[] = []
  const talker = await server((request, response) => {
    headers.push(request.headers)
    const go = request.url === '/' ? { location: '/next' } : {}
    response.writeHead(request.url === '/' ? 302 : 200, { 'set-cookie': 'id=1', ...go }).end()
  })
  const heard = await new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.0/8'] }).request(talker.origin)
  heard.close()
  expect(headers).toHaveLength(2)
  for (const sent of headers)
    expect(Object.keys(sent).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  expect(headers[0]?.['user-agent']).toContain('LeadlineBot')
})

test('broken responses and refused connections have readable messages', async () => {
  const nonsense = await server((request) => request.socket.end('HELLO\r\n\r\n'))
  const hangsUp = await server((request) => request.socket.destroy())
  const huge = await server((_request, response) => response.writeHead(200, { x: 'y'.repeat(30_000) }).end())
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.0/8'] })
  for (const { origin } of [nonsense, huge]) expect((await problemOf(outbound.request(origin))).kind).toBe('broken')
  expect((await problemOf(outbound.request(hangsUp.origin))).kind).toBe('closed')
  expect(await problemOf(outbound.request('http://127.0.0.1:1/'))).toMatchObject({
    kind: 'unreachable',
    message: 'The connection was refused',
  })
  const { world } = worldTo(1)
  expect(await problemOf(new OutboundClient({}, world).request('http://nowhere.example/'))).toMatchObject({
    kind: 'unresolved',
    message: 'This website could not be found',
  })
})

test('a name whose servers do not answer is told from one that does not exist [EDGE-10]', async () => {
  const { world } = worldTo(1)
  const silent = { ...world, resolve: () => Promise.reject(new Error('SERVFAIL')) }
  expect(await problemOf(new OutboundClient({}, silent).request('http://shop.example'))).toMatchObject({
    kind: 'unanswered',
    message: 'The name servers of this website do not answer',
  })
  expect(await problemOf(new OutboundClient({}, world).request('http://shop.example'))).toMatchObject({
    kind: 'unresolved',
    message: 'This website could not be found',
  })
})

test('an address that cannot be used from here is told from a site that is down [EDGE-10]', async () => {
  const { world } = worldTo(1, { 'six.example': ['2606:4700::1'], 'both.example': ['93.184.215.14', '2606:4700::1'] })
  const withoutIpv6 = { ...world, connect: (address: string) => failingSocket(address) }
  const outbound = new OutboundClient({}, withoutIpv6)
  expect((await problemOf(outbound.request('http://six.example'))).kind).toBe('no ipv6')
  expect((await problemOf(outbound.request('http://both.example'))).kind).toBe('unreachable')
})

/** A socket as of a machine without IPv6, for sites that refuse IPv4. */
function failingSocket(address: string) {
  const code = address.includes(':') ? 'ENETUNREACH' : 'ECONNREFUSED'
  const socket = new Socket()
  setImmediate(() => socket.destroy(Object.assign(new Error(code), { code })))
  return socket
}

test('an address that takes no connection does not keep the next one from answering [EDGE-10]', async () => {
  const { port } = await server((_request, response) => response.end('here'))
  const { world } = worldTo(port, { 'two.example': ['93.184.215.14', '93.184.215.15'] })
  const half = {
    ...world,
    connect: (address: string, at: number) => (address.endsWith('.14') ? new Socket() : world.connect(address, at)),
  }
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.1'] }, half)
  expect(await (await outbound.request('http://two.example')).text()).toBe('here')
})

test('JSON behind a mark of its byte order is JSON: programs of Windows and PHP write one [EDGE-04]', async () => {
  const { origin } = await server((_request, response) => response.end('\ufeff{"name":"José"}'))
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.1'] })
  expect(await (await outbound.request(origin)).json()).toEqual({ name: 'José' })
  expect(await (await outbound.request(origin)).text()).toBe('{"name":"José"}')
})
