import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'
import { msPerDay } from '#contract/days.ts'
import type { NetworkAdapter } from '../outbound/network-access.ts'
import { createCertificate } from './certificate.ts'
import { startListening, stopListening } from './local-server.ts'

export type SiteHandler = (request: IncomingMessage, response: ServerResponse) => unknown
/** A site on this machine: the addresses of its name, and its handler. */
type LocalSite = { addresses: string[]; answer: SiteHandler; reverse?: string }

export type LocalSites = {
  /** The sites by host name. */
  known: Map<string, LocalSite>
  /** All requests, in order: `GET shop.example/about`. */
  requests: string[]
  /** Resolves names to the known sites and directs every connection here; 127.0.0.1 stays as it is. */
  world: NetworkAdapter
  /** Adds an ordinary site with these pages, by path. */
  add(host: string, pages?: Record<string, string>, address?: string): LocalSite
  close(): Promise<void>
}

const inNinetyDays = () => new Date(Date.now() + 90 * msPerDay)

/** Starts any number of websites, over real HTTP and TLS, on two ports of this machine. */
export async function startLocalSites({
  certificateEnds = inNinetyDays(),
  names = ['*.example'],
  trusted = false,
} = {}): Promise<LocalSites> {
  const known = new Map<string, LocalSite>()
  const requests: string[] = []
  const listen: RequestListener = (request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    requests.push(`${request.method} ${host}${request.url}`)
    const site = known.get(host)
    if (site) site.answer(request, response)
    else response.writeHead(404).end()
  }
  const plain = createServer(listen)
  const certificate = createCertificate(names, certificateEnds)
  const secure = createSecureServer(certificate, listen)
  const [httpPort, httpsPort] = await Promise.all([plain, secure].map((one) => startListening(one)))
  const world: NetworkAdapter = {
    ...(trusted ? { authorities: certificate.cert } : {}),
    resolve: async (name) => known.get(name)?.addresses ?? [],
    namesResolve: async () => true,
    reverse: async (address) => [...known.values()].find((site) => site.addresses.includes(address))?.reverse ?? null,
    connect: (address, port) => {
      if (address === '127.0.0.1') return connect({ host: address, port })
      return connect({ host: '127.0.0.1', port: (port === 443 ? httpsPort : httpPort)! }) // both listen
    },
  }
  return {
    known,
    requests,
    world,
    add(host, pages = { '/': `<title>${host}</title>` }, address = `203.0.113.${(known.size % 250) + 1}`) {
      const site: LocalSite = {
        addresses: [address],
        answer: servePages(pages),
        reverse: `host-${address.replaceAll('.', '-')}.hosting.example`,
      }
      known.set(host, site)
      return site
    },
    close: async () => {
      await Promise.all([plain, secure].map(stopListening))
    },
  }
}

/** Serves pages by path; text that starts with `http` or `/` is a redirect. */
export const servePages =
  (pages: Record<string, string>): SiteHandler =>
  (request, response) => {
    const page = pages[request.url ?? '/']
    if (page === undefined) return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
    if (/^(https?:|\/)/.test(page)) return response.writeHead(301, { location: page }).end()
    const type = request.url === '/robots.txt' ? 'text/plain' : 'text/html; charset=utf-8'
    response.writeHead(200, { 'content-type': type }).end(page)
  }
