import { type IncomingMessage, request as speakHttp } from 'node:http'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { type TLSSocket, connect as trust } from 'node:tls'
import { Deadline } from './deadline.ts'
import { realWorld, type World } from './network-access.ts'
import { type Hop, OutboundProblem, problemFrom } from './outbound-problem.ts'
import { PublicAddresses } from './public-addresses.ts'
import { Heard } from './response.ts'

export type Ask = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH'
  headers?: Record<string, string>
  body?: string
  /** How many redirects are followed; each is checked like the first address. */
  redirects?: number
  /** Whether to go where a redirect leads; the redirect itself is the answer when not. */
  follow?: (next: URL) => boolean
  /** For everything: names, connections, redirects and the whole body. */
  milliseconds?: number
  /** Of the body, unpacked. */
  mostBytes?: number
  /** Goes on where a certificate is not to be trusted: for looking at it, never with anything secret. */
  anyCertificate?: boolean
  /** An origin out of the operator's settings: it may be anywhere and on any port. Nothing else may. */
  configured?: string
  signal?: AbortSignal
}

/** The one other port of public hosts. */
const whoisPort = 43
const usual = { redirects: 5, milliseconds: 15_000, mostBytes: 2_000_000 }

/**
 * The one way to hosts that other people name: checks, crawls, look-ups. What counts is the address that is connected to,
 * never the text of a URL: names are resolved here, the connection goes to the address that was checked, and is looked at
 * once more before a byte is sent. No cookies, no kept connections, no credentials.
 */
export class Outbound {
  readonly #addresses: PublicAddresses
  readonly #world: World
  readonly agent: string

  constructor(settings: { ALLOWED_PRIVATE_RANGES?: readonly string[] | undefined }, world: World = realWorld()) {
    this.#addresses = new PublicAddresses(settings.ALLOWED_PRIVATE_RANGES)
    this.#world = world
    this.agent = 'Mozilla/5.0 (compatible; LeadlineBot/1.0)'
  }

  /** Answers with the head of the last answer; its body is read, or closed, by whoever asked. */
  async request(address: string, ask: Ask = {}): Promise<Heard> {
    const deadline = new Deadline(ask.milliseconds ?? usual.milliseconds, ask.signal)
    const hops: Hop[] = []
    const seen = new Set<string>()
    try {
      let target = webAddress(address)
      for (;;) {
        if (seen.has(target.href)) throw new OutboundProblem('redirects', 'It redirects in a circle')
        seen.add(target.href)
        const { hop, message } = await this.#hop(target, ask, deadline)
        hops.push(hop)
        const next = redirectOf(message, target)
        if (next === null || ask.redirects === 0 || ask.follow?.(next) === false)
          return new Heard(message, { hops, deadline, mostBytes: ask.mostBytes ?? usual.mostBytes })
        message.destroy()
        if (hops.length > (ask.redirects ?? usual.redirects))
          throw new OutboundProblem('redirects', `It redirects more than ${ask.redirects ?? usual.redirects} times`)
        target = webAddress(next.href)
      }
    } catch (error) {
      const problem = deadline.problem ?? problemFrom(error)
      problem.hops = hops
      problem.address ??= hops[0]?.address ?? null
      deadline.end()
      throw problem
    }
  }

  /** A plain conversation on a port of its own, such as WHOIS on 43: says one line, answers what it hears until the end. */
  async converse(host: string, port: number, line: string, ask: Pick<Ask, 'milliseconds' | 'configured'> = {}) {
    const deadline = new Deadline(ask.milliseconds ?? usual.milliseconds)
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
        if (bytes > 100_000) throw new OutboundProblem('too large', 'The answer is too long')
        parts.push(part)
      }
      return Buffer.concat(parts).toString('utf8')
    } catch (error) {
      throw deadline.problem ?? problemFrom(error)
    } finally {
      deadline.end()
    }
  }

  reverse(address: string): Promise<string | null> {
    return this.#world.reverse(address)
  }

  /** Whether a URL that somebody enters could be asked at all: a courtesy to them. What decides is each connection. */
  couldReach(url: URL): boolean {
    const host = hostOf(url)
    const port = portOf(url)
    if (isIP(host)) return this.#addresses.mayReach(host, port)
    if (this.#addresses.allowsSome) return true
    return (port === 80 || port === 443) && host !== 'localhost' && !host.endsWith('.localhost')
  }

  async #hop(target: URL, ask: Ask, deadline: Deadline): Promise<{ hop: Hop; message: IncomingMessage }> {
    const isConfigured = ask.configured !== undefined && target.origin === ask.configured
    const port = portOf(target)
    const may = (one: string) => isConfigured || this.#addresses.mayReach(one, port)
    const { socket, address } = await this.#connect(hostOf(target), port, deadline, may)
    try {
      const line =
        target.protocol === 'https:' ? await secured(socket, hostOf(target), deadline, this.#world.authorities) : null
      const certificate = line && certificateOf(line)
      if (certificate?.problem && !ask.anyCertificate)
        throw new OutboundProblem('certificate', certificate.problem, address)
      const message = await answered(line ?? socket, target, { agent: this.agent, ...ask }, deadline)
      return { hop: { url: target.href, status: message.statusCode ?? 0, address, certificate }, message }
    } catch (error) {
      socket.destroy()
      throw deadline.problem ?? problemFrom(error, address)
    }
  }

  /** Connects to an address that may be reached, and looks at where the connection ended. */
  async #connect(host: string, port: number, deadline: Deadline, may: (address: string) => boolean) {
    const found = isIP(host) ? [host] : await deadline.before(this.#world.resolve(host))
    if (found.length === 0) throw new OutboundProblem('unresolved', 'The name has no address')
    const open = found.filter(may)
    if (open.length === 0) throw new OutboundProblem('refused', 'The address is not one of the public web', found[0])
    let problem: OutboundProblem | null = null
    for (const address of open.slice(0, 3)) {
      const socket = this.#world.connect(address, port)
      deadline.destroys(socket)
      try {
        await deadline.before(connected(socket))
        if (!socket.remoteAddress || !may(socket.remoteAddress))
          throw new OutboundProblem('refused', 'The address is not one of the public web', address)
        return { socket, address: shown(address) }
      } catch (error) {
        socket.destroy()
        problem = deadline.problem ?? problemFrom(error, address)
        if (deadline.problem) break
      }
    }
    throw problem ?? new OutboundProblem('unresolved', 'The name has no address')
  }
}

/** A web address without a name or password in it. */
function webAddress(address: string): URL {
  if (address.length > 8192 || !URL.canParse(address)) throw new OutboundProblem('refused', 'This is not a web address')
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) throw new OutboundProblem('refused', 'Only http and https are spoken')
  if (url.username || url.password) throw new OutboundProblem('refused', 'An address with a password is not asked')
  if (url.hostname.length > 253) throw new OutboundProblem('refused', 'This name is too long')
  url.hash = ''
  return url
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))
/** An IPv4 address that was connected to as an IPv6 one is still that IPv4 address. */
const shown = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '')

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !location) return null
  if (!URL.canParse(location, from)) throw new OutboundProblem('refused', 'It redirects to what is not a web address')
  return new URL(location, from)
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve())
    socket.once('error', reject)
    socket.once('close', () => reject(new OutboundProblem('broken', 'The connection broke off')))
  })
}

async function secured(socket: Socket, host: string, deadline: Deadline, ca: string | undefined): Promise<TLSSocket> {
  const line = trust({
    socket,
    ...(isIP(host) ? {} : { servername: host }),
    rejectUnauthorized: false, // looked at below: who asks decides
    ALPNProtocols: ['http/1.1'],
    ...(ca ? { ca } : {}),
  })
  const done = new Promise<void>((resolve, reject) => {
    line.once('secureConnect', () => resolve())
    line.once('error', reject)
    line.once('close', () => reject(new OutboundProblem('broken', 'The connection broke off')))
  })
  await deadline.before(done)
  return line
}

function certificateOf(line: TLSSocket): Hop['certificate'] {
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

type Said = Pick<Ask, 'method' | 'headers' | 'body'> & { agent: string }

function answered(line: Duplex, target: URL, said: Said, deadline: Deadline): Promise<IncomingMessage> {
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
