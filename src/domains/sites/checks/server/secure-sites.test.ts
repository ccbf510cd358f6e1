import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { expect, test } from 'vitest'
import { createCertificate, type StandInCertificate } from '#integrations/fakes/certificate.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { probeSite } from './request-site.ts'

const ends = new Date('2040-01-01T00:00:00Z')
const authority = createCertificate([], ends, { isAuthority: true })
const between = createCertificate([], ends, { isAuthority: true, issuer: authority })
const stranger = createCertificate([], ends, { isAuthority: true })
const good = createCertificate(['site.example', '203.0.113.9'], ends, { issuer: authority })

/** Serves on a port of this machine while the site is checked. */
async function check(server: Server, url = 'https://site.example/') {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const outbound = new OutboundClient(
    { ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] },
    {
      authorities: authority.cert,
      resolve: async () => ['203.0.113.9'],
      namesResolve: async () => true,
      reverse: async () => null,
      connect: () => connect({ host: '127.0.0.1', port }),
    },
  )
  const { outcome, problem, tlsExpires } = await probeSite(outbound, url)
  server.close()
  return { outcome, problem, tlsExpires }
}

const serve = (options: TlsOptions) => {
  const server = createTlsServer(options, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'))
  })
  server.on('tlsClientError', () => {})
  return server
}
/** Answers the first bytes of the visitor with these. */
const serveBytes = (bytes: Buffer) =>
  createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(bytes))
  })
/** A fatal alert, by its number. */
const alert = (description: number) => Buffer.of(21, 3, 3, 0, 2, 2, description)

const issue = (names: string[], options: Parameters<typeof createCertificate>[2] = {}, until = ends) =>
  createCertificate(names, until, { issuer: authority, ...options })
/** With the certificate of its issuer. */
const chain = (names: string[], issuer: StandInCertificate) => {
  const { key, cert } = issue(names, { issuer })
  return { key, cert: cert + issuer.cert }
}
const past = new Date('2024-01-01T00:00:00Z')
const site = ['site.example']
const oldCiphers = 'ALL:@SECLEVEL=0'
const tooOld = 'The server only speaks TLS that browsers no longer accept'
const unencrypted = 'The server answers without encryption where browsers need it'
const closed = 'The connection was closed unexpectedly'
const noLine = 'No secure connection could be made'

type SecureCase = [what: string, source: string, server: () => Server, outcome: string, problem?: string, url?: string]
const cases: SecureCase[] = [
  ['a certificate in order', 'spatie/laravel-uptime-monitor#179', () => serve(good), 'live'],
  [
    'an address whose certificate names it',
    'brianc/node-postgres#2263',
    () => serve(good),
    'live',
    undefined,
    'https://203.0.113.9/',
  ],
  [
    'a name with a final dot',
    'louislam/uptime-kuma#6047',
    () => serve(good),
    'live',
    undefined,
    'https://site.example./',
  ],
  [
    'a subdomain under a wildcard',
    'louislam/uptime-kuma#6047',
    () => serve(issue(['*.site.example'])),
    'live',
    undefined,
    'https://www.site.example/',
  ],
  ['a whole chain', 'louislam/uptime-kuma#90', () => serve(chain(site, between)), 'live'],
  ['TLS 1.2 alone', 'Mbed-TLS/mbedtls#10141', () => serve({ ...good, maxVersion: 'TLSv1.2' }), 'live'],
  ['TLS 1.3 alone', 'Mbed-TLS/mbedtls#10141', () => serve({ ...good, minVersion: 'TLSv1.3' }), 'live'],
  [
    'a server that likes to know its visitors',
    'a case of the kind',
    () => serve({ ...good, requestCert: true, rejectUnauthorized: false }),
    'live',
  ],
  [
    'an expired certificate',
    'louislam/uptime-kuma#4544',
    () => serve(issue(site, {}, past)),
    'live',
    'The certificate has expired',
  ],
  [
    'a self-signed one that has expired',
    'upptime/upptime#57',
    () => serve(createCertificate(site, past)),
    'live',
    'The certificate has expired',
  ],
  [
    'one that begins later',
    'a case of the kind',
    () => serve(issue(site, { starts: new Date('2039-01-01T00:00:00Z') })),
    'live',
    'The certificate is not valid yet',
  ],
  [
    'the certificate of another site',
    'louislam/uptime-kuma#7701',
    () => serve(issue(['other.example', 'www.other.example'])),
    'live',
    'The certificate is for another name, other.example',
  ],
  [
    'a wildcard for its subdomains',
    'louislam/uptime-kuma#6047',
    () => serve(issue(['*.site.example'])),
    'live',
    'The certificate is for another name, *.site.example',
  ],
  [
    'a subdomain of a subdomain under a wildcard',
    'louislam/uptime-kuma#6047',
    () => serve(issue(['*.site.example'])),
    'live',
    'The certificate is for another name, *.site.example',
    'https://a.www.site.example/',
  ],
  [
    'an address whose certificate has a name',
    'tobychui/zoraxy#7',
    () => serve(issue(site)),
    'live',
    'The certificate is for another name, site.example',
    'https://203.0.113.9/',
  ],
  [
    'a certificate without names',
    'elastic/kibana#136358',
    () => serve(issue([])),
    'live',
    'The certificate names no site',
  ],
  [
    'a self-signed certificate',
    'upptime/upptime#57',
    () => serve(createCertificate(site, ends)),
    'live',
    'The certificate is self-signed: browsers warn of this site',
  ],
  [
    'an authority that browsers do not know',
    'browser-update/browser-update#122',
    () => serve(chain(site, stranger)),
    'live',
    'The certificate is not trusted (SELF_SIGNED_CERT_IN_CHAIN)',
  ],
  [
    'an unknown authority that is not sent',
    'louislam/uptime-kuma#4544',
    () => serve(issue(site, { issuer: stranger })),
    'live',
    'The certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
  [
    'an incomplete chain',
    'louislam/uptime-kuma#90',
    () => serve(issue(site, { issuer: between, issuerUrl: 'http://authority.example/between.crt' })),
    'live',
    'The server does not send the whole chain of its certificate: some browsers warn of this site',
  ],
  [
    'TLS 1.0 alone',
    'zaproxy/zaproxy#290',
    () => serve({ ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: oldCiphers }),
    'down',
    tooOld,
  ],
  [
    'TLS 1.1 alone',
    'zaproxy/zaproxy#290',
    () => serve({ ...good, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: oldCiphers }),
    'down',
    tooOld,
  ],
  ['the alert of an old version', 'haskell-tls/hs-tls#134', () => serveBytes(alert(70)), 'down', tooOld],
  [
    'a name that the server does not know',
    'RFC 6066, section 3',
    () => serveBytes(alert(112)),
    'down',
    'The server has no certificate for this name',
  ],
  ['no common cipher', 'commercialhaskell/stackage#7211', () => serveBytes(alert(40)), 'down', noLine],
  ['a failure within the server', 'a case of the kind', () => serveBytes(alert(80)), 'down', noLine],
  [
    'a server for visitors with a certificate',
    'a case of the kind',
    () => serve({ ...good, requestCert: true }),
    'down',
    'The server asks its visitors for a certificate',
  ],
  [
    'the same over TLS 1.2',
    'a case of the kind',
    () => serve({ ...good, requestCert: true, maxVersion: 'TLSv1.2' }),
    'down',
    noLine,
  ],
  [
    'HTTP/2 alone',
    'akka/akka-http#2791',
    () => serve({ ...good, ALPNProtocols: ['h2'] }),
    'unknown',
    'Only speaks HTTP/2, which checks do not',
  ],
  [
    'plain HTTP',
    'fzaninotto/uptime#132',
    () => serveBytes(Buffer.from('HTTP/1.1 400 Bad\r\n\r\n')),
    'down',
    unencrypted,
  ],
  [
    'another protocol',
    'a case of the kind',
    () => serveBytes(Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')),
    'down',
    unencrypted,
  ],
  ['nothing', 'tobychui/zoraxy#1049', () => serveBytes(Buffer.of()), 'down', closed],
  ['half a greeting', 'tobychui/zoraxy#1049', () => serveBytes(Buffer.of(22, 3, 3, 0, 100, 2, 0)), 'down', closed],
]

test.each(cases)(
  'over TLS, %s (%s) is what a browser makes of it [EDGE-10]',
  async (_, __, server, outcome, problem, url) => {
    expect(await check(server(), url)).toMatchObject({ outcome, problem: problem ?? null })
  },
)

/** Redirects from origin to origin, over http and https on one port, each name with its certificate. */
function serveRedirects(ends: Record<string, Date>, to: Record<string, string>) {
  const answer = (scheme: string) => (socket: Duplex) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      const location = to[`${scheme}://${/^host: (\S+)/im.exec(String(bytes))?.[1]}`]
      socket.end(`HTTP/1.1 ${location ? `301 Moved\r\nlocation: ${location}` : '200 OK'}\r\ncontent-length: 0\r\n\r\n`)
    })
  }
  const certificates = Object.entries(ends).map(([name, end]) => [name, issue([name], {}, end)] as const)
  const secure = createTlsServer({ ...certificates[0]![1] }, answer('https'))
  for (const [name, certificate] of certificates) secure.addContext(name, certificate)
  return createServer((socket) =>
    socket.once('readable', () => {
      const bytes = socket.read()
      socket.unshift(bytes)
      if (bytes[0] === 22) secure.emit('connection', socket)
      else answer('http')(socket)
    }),
  )
}

const soon = new Date('2030-01-01T00:00:00Z')
test.each<[string, string, Record<string, Date>, Record<string, string>, Date]>([
  [
    'behind http',
    'http://site.example/',
    { 'site.example': soon },
    { 'http://site.example': 'https://site.example/' },
    soon,
  ],
  [
    'behind its name with www',
    'https://site.example/',
    { 'site.example': ends, 'www.site.example': soon },
    { 'https://site.example': 'https://www.site.example/' },
    soon,
  ],
  [
    'and none of another site to which it leads',
    'https://site.example/',
    { 'site.example': ends, 'other.example': soon },
    { 'https://site.example': 'https://other.example/' },
    ends,
  ],
])('the certificate that ends first is watched: %s [EDGE-10]', async (_, url, certificates, to, end) => {
  expect(await check(serveRedirects(certificates, to), url)).toEqual({
    outcome: 'live',
    problem: null,
    tlsExpires: end,
  })
})
