import { type IncomingMessage, request as speakHttp } from 'node:http'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { type TLSSocket, connect as trust } from 'node:tls'
import { RequestDeadline } from './deadline.ts'
import { createNetworkAdapter, type NetworkAdapter } from './network-access.ts'
import { OutboundError, type OutboundHop, toOutboundError } from './outbound-problem.ts'
import { PublicAddresses } from './public-addresses.ts'
import { OutboundResponse } from './response.ts'

type OutboundRequestOptions = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH'
  headers?: Record<string, string>
  body?: string
  /** The maximum number of redirects; each is checked like the first address. */
  redirects?: number
  /** Whether to follow a redirect; if not, the redirect itself is the response. */
  follow?: (next: URL) => boolean
  /** The timeout for everything: names, connections, redirects and the whole body. */
  milliseconds?: number
  /** The maximum size of the decompressed body. */
  mostBytes?: number
  /** Accepts untrusted certificates: to inspect them, never with anything secret. */
  anyCertificate?: boolean
  /** An origin from the operator's settings: only this one may have any address and port. */
  configured?: string
  signal?: AbortSignal
}

/** The only other allowed port of public hosts. */
const whoisPort = 43
const defaultLimits = { redirects: 5, milliseconds: 15_000, mostBytes: 2_000_000 }

/**
 * Makes all requests to hosts that users or others name: checks, crawls, lookups. Checks the IP address of the connection, never the
 * text of a URL: resolves the name, connects to the checked address, and checks the connected address again before a byte is sent.
 * No cookies, no kept connections, no credentials.
 */
export class OutboundClient {
  readonly #addresses: PublicAddresses
  readonly #world: NetworkAdapter
  readonly agent: string

  constructor(
    settings: { ALLOWED_PRIVATE_RANGES?: readonly string[] | undefined },
    world: NetworkAdapter = createNetworkAdapter(),
  ) {
    this.#addresses = new PublicAddresses(settings.ALLOWED_PRIVATE_RANGES)
    this.#world = world
    this.agent = 'Mozilla/5.0 (compatible; LeadlineBot/1.0)'
  }

  /** Returns the last response when its headers have arrived; the caller must read its body or close it. */
  async request(address: string, ask: OutboundRequestOptions = {}): Promise<OutboundResponse> {
    const deadline = new RequestDeadline(ask.milliseconds ?? defaultLimits.milliseconds, ask.signal)
    const hops: OutboundHop[] = []
    const seen = new Set<string>()
    try {
      let target = parseWebUrl(address)
      for (;;) {
        if (seen.has(target.href)) throw new OutboundError('redirects', 'It redirects in a circle')
        seen.add(target.href)
        const { hop, message } = await this.#hop(target, ask, deadline)
        hops.push(hop)
        const next = getRedirectUrl(message, target)
        if (next === null || ask.redirects === 0 || ask.follow?.(next) === false)
          return new OutboundResponse(message, { hops, deadline, mostBytes: ask.mostBytes ?? defaultLimits.mostBytes })
        message.destroy()
        if (hops.length > (ask.redirects ?? defaultLimits.redirects))
          throw new OutboundError(
            'redirects',
            `It redirects more than ${ask.redirects ?? defaultLimits.redirects} times`,
          )
        target = parseWebUrl(next.href)
      }
    } catch (error) {
      const problem = deadline.problem ?? toOutboundError(error)
      problem.hops = hops
      problem.address ??= hops[0]?.address ?? null
      deadline.end()
      throw problem
    }
  }

  /** Sends one line over TCP and returns everything that the server sends, such as for WHOIS on port 43. */
  async converse(
    host: string,
    port: number,
    line: string,
    ask: Pick<OutboundRequestOptions, 'milliseconds' | 'configured'> = {},
  ) {
    const deadline = new RequestDeadline(ask.milliseconds ?? defaultLimits.milliseconds)
    const configured = ask.configured === `${host}:${port}`
    try {
      const { socket } = await this.#connect(
        host,
        port,
        deadline,
        (one) => configured || this.#addresses.mayReach(one, port === whoisPort ? 80 : port),
      )
      socket.write(`${line}\r\n`)
      const parts: Buffer[] = []
      let bytes = 0
      for await (const part of socket as AsyncIterable<Buffer>) {
        bytes += part.length
        if (bytes > 100_000) throw new OutboundError('too large', 'The response is too long')
        parts.push(part)
      }
      return Buffer.concat(parts).toString('utf8')
    } catch (error) {
      throw deadline.problem ?? toOutboundError(error)
    } finally {
      deadline.end()
    }
  }

  reverse(address: string): Promise<string | null> {
    return this.#world.reverse(address)
  }

  /** Returns whether a URL that a user enters could be reached at all: for early feedback only. Each connection is checked anyway. */
  couldReach(url: URL): boolean {
    const host = getHost(url)
    const port = getPort(url)
    if (isIP(host)) return this.#addresses.mayReach(host, port)
    if (this.#addresses.allowsSome) return true
    return (port === 80 || port === 443) && host !== 'localhost' && !host.endsWith('.localhost')
  }

  async #hop(
    target: URL,
    ask: OutboundRequestOptions,
    deadline: RequestDeadline,
  ): Promise<{ hop: OutboundHop; message: IncomingMessage }> {
    const isConfigured = ask.configured !== undefined && target.origin === ask.configured
    const port = getPort(target)
    const may = (one: string) => isConfigured || this.#addresses.mayReach(one, port)
    const { socket, address } = await this.#connect(getHost(target), port, deadline, may)
    try {
      const line =
        target.protocol === 'https:'
          ? await upgradeToTls(socket, getHost(target), deadline, this.#world.authorities)
          : null
      const certificate = line && readCertificate(line)
      if (certificate?.problem && !ask.anyCertificate)
        throw new OutboundError('certificate', certificate.problem, address)
      const message = await sendHttpRequest(line ?? socket, target, { agent: this.agent, ...ask }, deadline)
      return { hop: { url: target.href, status: message.statusCode ?? 0, address, certificate }, message }
    } catch (error) {
      socket.destroy()
      throw deadline.problem ?? toOutboundError(error, address)
    }
  }

  /** Connects to an allowed address, and checks where the connection ended. */
  async #connect(host: string, port: number, deadline: RequestDeadline, may: (address: string) => boolean) {
    const found = isIP(host) ? [host] : await deadline.before(this.#world.resolve(host))
    if (found.length === 0) throw new OutboundError('unresolved', 'This website could not be found')
    const open = found.filter(may)
    if (open.length === 0) throw new OutboundError('refused', 'The address is not on the public web', found[0])
    let problem: OutboundError | null = null
    for (const address of open.slice(0, 3)) {
      const socket = this.#world.connect(address, port)
      deadline.destroys(socket)
      try {
        await deadline.before(waitForConnect(socket))
        if (!socket.remoteAddress || !may(socket.remoteAddress))
          throw new OutboundError('refused', 'The address is not on the public web', address)
        return { socket, address: unmapIpv4(address) }
      } catch (error) {
        socket.destroy()
        problem = deadline.problem ?? toOutboundError(error, address)
        if (deadline.problem) break
      }
    }
    throw problem ?? new OutboundError('unresolved', 'This website could not be found')
  }
}

/** Parses a web address; throws if it contains a user name or password. */
function parseWebUrl(address: string): URL {
  if (address.length > 8192 || !URL.canParse(address)) throw new OutboundError('refused', 'This is not a web address')
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) throw new OutboundError('refused', 'Only http and https are supported')
  if (url.username || url.password) throw new OutboundError('refused', 'Addresses with a password are not allowed')
  if (url.hostname.length > 253) throw new OutboundError('refused', 'This name is too long')
  url.hash = ''
  return url
}

const getHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
const getPort = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))
/** Returns the IPv4 address of an IPv4-mapped IPv6 address. */
const unmapIpv4 = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '')

function getRedirectUrl({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !location) return null
  if (!URL.canParse(location, from.href))
    throw new OutboundError('refused', 'It redirects to something that is not a web address')
  return new URL(location, from)
}

function waitForConnect(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve())
    socket.once('error', reject)
    socket.once('close', () => reject(new OutboundError('broken', 'The connection was closed unexpectedly')))
  })
}

async function upgradeToTls(
  socket: Socket,
  host: string,
  deadline: RequestDeadline,
  ca: string | undefined,
): Promise<TLSSocket> {
  const line = trust({
    socket,
    ...(isIP(host) ? {} : { servername: host }),
    rejectUnauthorized: false, // the caller checks it
    ALPNProtocols: ['http/1.1'],
    ...(ca ? { ca } : {}),
  })
  const done = new Promise<void>((resolve, reject) => {
    line.once('secureConnect', () => resolve())
    line.once('error', reject)
    line.once('close', () => reject(new OutboundError('broken', 'The connection was closed unexpectedly')))
  })
  await deadline.before(done)
  return line
}

function readCertificate(line: TLSSocket): OutboundHop['certificate'] {
  const { valid_to } = line.getPeerCertificate()
  const ends = valid_to ? new Date(valid_to) : null
  const code = line.authorizationError ? String(line.authorizationError) : ''
  return {
    ends,
    problem: line.authorized
      ? null
      : code.includes('EXPIRED')
        ? 'The certificate has expired'
        : `The certificate is not trusted (${code})`,
  }
}

type HttpRequestParts = Pick<OutboundRequestOptions, 'method' | 'headers' | 'body'> & { agent: string }

function sendHttpRequest(
  line: Duplex,
  target: URL,
  said: HttpRequestParts,
  deadline: RequestDeadline,
): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, agent } = said
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    const request = speakHttp({
      createConnection: () => line,
      method,
      path: `${target.pathname}${target.search}`,
      setHost: false,
      headers: {
        host: target.host,
        'user-agent': agent,
        accept: '*/*',
        'accept-encoding': 'gzip',
        connection: 'close',
        ...headers,
      },
    })
    request.once('response', resolve)
    request.once('error', reject)
    request.end(body)
  })
  return deadline.before(answer)
}
