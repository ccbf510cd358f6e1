import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { startListening, stopListening } from './local-server.ts'

/** A domain in the stand-in's registry. */
type StandInDomain = {
  registrar: string
  /** Left out if the registry does not publish it. */
  registrant?: string
  registered: string
  expires: string
  /** RDAP does not tell when it expires. */
  whoisTellsExpiry?: true
  nameservers: string[]
}
type StandInNetwork = { owner: string; country: string; region?: string }

export type RdapStandIn = {
  /** The settings RDAP_BOOTSTRAP_URL, RDAP_IP_BOOTSTRAP_URL and WHOIS_SERVER for this stand-in. */
  bootstrap: string
  ipBootstrap: string
  whois: string
  domains: Map<string, StandInDomain>
  /** The networks by the start of their addresses, `203.0.113.`. */
  networks: Map<string, StandInNetwork>
  /** Top-level domains with RDAP; the others have only WHOIS. */
  tlds: string[]
  requests: string[]
  /** For the next requests, one each: error statuses, or whole answers. */
  next: (number | string)[]
  close(): Promise<void>
}

/** Starts a stand-in of IANA's lists and a registry's RDAP and WHOIS, over real HTTP and TCP. */
export async function startRdapStandIn(): Promise<RdapStandIn> {
  const known: Pick<RdapStandIn, 'domains' | 'networks' | 'tlds' | 'requests' | 'next'> = {
    domains: new Map(),
    networks: new Map(),
    tlds: ['com', 'net', 'example'],
    requests: [],
    next: [],
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    known.requests.push(url.pathname)
    const failure = known.next.shift()
    if (typeof failure === 'string') return response.writeHead(200).end(failure)
    if (failure) return response.writeHead(failure, failure === 429 ? { 'retry-after': '1' } : {}).end()
    const base = `${url.origin}/rdap/`
    if (url.pathname === '/dns.json')
      return sendRdapJson(response, 200, { version: '1.0', services: [[known.tlds, [base]]] })
    if (url.pathname === '/ipv4.json')
      return sendRdapJson(response, 200, {
        version: '1.0',
        services: [[['198.51.100.0/24', '203.0.113.0/24'], [base]]],
      })
    const [, kind, name = ''] = /^\/rdap\/(domain|ip)\/(.+)$/.exec(url.pathname) ?? []
    const domain = kind === 'domain' ? known.domains.get(name) : undefined
    if (domain) return sendRdapJson(response, 200, toDomainResponse(name, domain))
    const keeper = kind === 'ip' ? [...known.networks].find(([start]) => name.startsWith(start))?.[1] : undefined
    if (keeper) return sendRdapJson(response, 200, toNetworkResponse(keeper))
    return sendRdapJson(response, 404, { errorCode: 404, title: 'Not Found' })
  })
  const line = createTcp((socket) => {
    socket.on('error', () => {})
    socket.once('data', (question) => {
      const name = question.toString().trim()
      known.requests.push(`whois ${name}`)
      const { port } = line.address() as AddressInfo
      const text = name.includes('.') ? known.next.shift() : undefined
      if (typeof text === 'string') return socket.end(text)
      socket.end(
        name.includes('.') ? formatWhois(name, known.domains.get(name)) : `domain: ${name}\nrefer: 127.0.0.1:${port}\n`,
      )
    })
  })
  const [http, whois] = await Promise.all([server, line].map((one) => startListening(one)))
  return {
    ...known,
    bootstrap: `http://127.0.0.1:${http}/dns.json`,
    ipBootstrap: `http://127.0.0.1:${http}/ipv4.json`,
    whois: `127.0.0.1:${whois}`,
    close: async () => {
      await Promise.all([server, line].map(stopListening))
    },
  }
}

const sendRdapJson = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(body))

const createVcardEntity = (role: string, name: string | undefined, address?: string[]) => ({
  objectClassName: 'entity',
  roles: [role],
  vcardArray: [
    'vcard',
    [
      ['version', {}, 'text', '4.0'],
      ...(name ? [['fn', {}, 'text', name]] : []),
      ...(address ? [['adr', {}, 'text', address]] : []),
    ],
  ],
})

const toDomainResponse = (
  name: string,
  { registrar, registrant, registered, expires, whoisTellsExpiry, nameservers }: StandInDomain,
) => ({
  objectClassName: 'domain',
  ldhName: name.toUpperCase(),
  status: ['client transfer prohibited'],
  entities: [createVcardEntity('registrar', registrar), createVcardEntity('registrant', registrant)],
  events: [
    { eventAction: 'registration', eventDate: `${registered}T04:00:00Z` },
    ...(whoisTellsExpiry ? [] : [{ eventAction: 'expiration', eventDate: `${expires}T04:00:00Z` }]),
    { eventAction: 'last update of RDAP database', eventDate: '2026-03-01T00:00:00Z' },
  ],
  nameservers: nameservers.map((server) => ({ objectClassName: 'nameserver', ldhName: server.toUpperCase() })),
  secureDNS: { delegationSigned: false },
})

const toNetworkResponse = ({ owner, country, region = '' }: StandInNetwork) => ({
  objectClassName: 'ip network',
  name: 'NET-STAND-IN',
  country,
  entities: [createVcardEntity('registrant', owner, ['', '', '1 Main St', 'Town', region, '00000', ''])],
})

function formatWhois(name: string, domain: StandInDomain | undefined): string {
  if (!domain) return `% No entries found for ${name}\r\n`
  const servers = domain.nameservers.map((server) => `nserver:       ${server}.`)
  const days = [`created:       ${domain.registered}T12:00:00Z`, `paid-till:     ${domain.expires}T12:00:00Z`]
  return [`domain:        ${name.toUpperCase()}`, ...servers, `registrar:     ${domain.registrar}`, ...days, ''].join(
    '\r\n',
  )
}
