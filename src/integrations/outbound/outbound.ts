import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { CookieKeeper } from './cookie-keeper.ts'
import { RequestDeadline } from './deadline.ts'
import { createNetworkAdapter, type NetworkAdapter } from './network-access.ts'
import { notFoundMessage, OutboundError, type OutboundHop, toOutboundError } from './outbound-problem.ts'
import { PublicAddresses } from './public-addresses.ts'
import { OutboundResponse } from './response.ts'
import { sendHttpRequest } from './send-http-request.ts'
import { readCertificate, upgradeToTls } from './tls-line.ts'

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
  /**
   * For pages that people open: reads what a browser reads, however sloppy, with headers of up to 256 kB, and keeps cookies from one
   * redirect to the next.
   */
  likeBrowser?: boolean
  signal?: AbortSignal
}

/** The only other allowed port of public hosts. */
const whoisPort = 43
const defaultLimits = { redirects: 5, milliseconds: 15_000, mostBytes: 2_000_000 }
/** How long one of several addresses of a name may take to connect, before the next one is tried. */
const addressMilliseconds = 4000

/**
 * Makes all requests to hosts that users or others name: checks, crawls, lookups. Checks the IP address of the connection, never the
 * text of a URL: resolves the name, connects to the checked address, and checks the connected address again before a byte is sent.
 * No kept connections, no credentials, and no cookie survives its request.
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
    const cookies = ask.likeBrowser ? new CookieKeeper() : null
    const seen = new Map<string, number>()
    try {
      let target = parseWebUrl(address)
      for (;;) {
        const cookie = cookies?.read(target)
        const request = `${target.href} ${cookie ?? ''}`
        const times = seen.get(request) ?? 0
        // A page may answer the second time, as it has seen its visitor now.
        if (times > (ask.likeBrowser ? 1 : 0)) throw new OutboundError('redirects', 'Redirects in a circle')
        seen.set(request, times + 1)
        const { hop, message } = await this.#hop(
          target,
          cookie ? { ...ask, headers: { ...ask.headers, cookie } } : ask,
          deadline,
        )
        hops.push(hop)
        cookies?.keep(message, target)
        const next = getRedirectUrl(message, target)
        if (next === null || ask.redirects === 0 || ask.follow?.(next) === false)
          return new OutboundResponse(message, { hops, deadline, mostBytes: ask.mostBytes ?? defaultLimits.mostBytes })
        message.destroy()
        if (hops.length > (ask.redirects ?? defaultLimits.redirects))
          throw new OutboundError('redirects', `Redirects more than ${ask.redirects ?? defaultLimits.redirects} times`)
        if (ask.likeBrowser) next.username = next.password = '' // a browser would only send them where it is asked to
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

  /** Returns whether the operator has allowed every address of a host as a private one. */
  async isInAllowedRange(url: URL): Promise<boolean> {
    const host = getHost(url)
    const found = isIP(host) ? [host] : await this.#world.resolve(host).catch(() => [])
    return found.length > 0 && found.every((address) => this.#addresses.isInAllowedRange(address))
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
          ? await upgradeToTls(socket, getHost(target), deadline, {
              authorities: this.#world.authorities,
              likeBrowser: ask.likeBrowser === true,
            })
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

  /** Returns whether the names of the internet can be resolved at all. */
  namesResolve(): Promise<boolean> {
    return this.#world.namesResolve()
  }

  async #resolve(host: string, deadline: RequestDeadline): Promise<string[]> {
    try {
      return await deadline.before(this.#world.resolve(host))
    } catch {
      throw deadline.problem ?? new OutboundError('unanswered', 'The name servers of this website do not answer')
    }
  }

  /** Connects to an allowed address, and checks where the connection ended. */
  async #connect(host: string, port: number, deadline: RequestDeadline, may: (address: string) => boolean) {
    const found = isIP(host) ? [host] : await this.#resolve(host, deadline)
    if (found.length === 0) throw new OutboundError('unresolved', notFoundMessage)
    const open = found.filter(may)
    if (open.length === 0) throw new OutboundError('refused', 'The address is not on the public web', found[0])
    let problem: OutboundError | null = null
    const tried = open.slice(0, 3)
    for (const address of tried) {
      const socket = this.#world.connect(address, port)
      deadline.destroys(socket)
      const isLast = address === tried.at(-1)
      const timer = isLast ? undefined : setTimeout(() => socket.destroy(tooSlowError()), addressMilliseconds)
      try {
        await deadline.before(waitForConnect(socket))
        if (!socket.remoteAddress || !may(socket.remoteAddress))
          throw new OutboundError('refused', 'The address is not on the public web', address)
        return { socket, address: unmapIpv4(address) }
      } catch (error) {
        socket.destroy()
        const latest = deadline.problem ?? toOutboundError(error, address)
        // What is wrong with an address that people use counts for more than what this machine lacks.
        if (problem === null || latest.kind !== 'no ipv6') problem = latest
        if (deadline.problem) break
      } finally {
        clearTimeout(timer)
      }
    }
    throw problem ?? new OutboundError('unresolved', notFoundMessage)
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
  // Node reads bytes as Latin-1, but they are those of the address, whatever they mean.
  const escaped = location.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
  if (!URL.canParse(escaped, from.href))
    throw new OutboundError('refused', 'Redirects to something that is not a web address')
  return new URL(escaped, from)
}

const tooSlowError = () => new OutboundError('unreachable', 'The address cannot be reached')

function waitForConnect(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve())
    socket.once('error', reject)
    socket.once('close', () => reject(new OutboundError('closed', 'The connection was closed unexpectedly')))
  })
}
