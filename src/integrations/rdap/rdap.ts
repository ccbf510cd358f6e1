import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { Settings } from '#core/settings/settings.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { plainText } from '../outbound/plain-text.ts'
import { Upstream, UpstreamAnswer } from '../outbound/upstream.ts'
import type { Registration } from './registration.ts'

/** What RDAP tells of a network. */
export type Network = { owner: string | null; country: string | null; region: string | null }

type Urls = Pick<Settings, 'RDAP_BOOTSTRAP_URL' | 'RDAP_IP_BOOTSTRAP_URL'>
type Bootstrap = { services: [string[], string[]][]; freshUntil: number }

const week = 7 * 86_400_000
const day = 86_400_000

/**
 * Registries, found by IANA's lists of who keeps what. Each server has its own breaker, and is asked one question at a time.
 * The lists are kept for a week; when a newer one cannot be had, the old one does for another day.
 */
export class Rdap {
  readonly #outbound: Outbound
  readonly #urls: Urls
  readonly #lists = new Map<string, Bootstrap>()
  readonly #servers = new Map<string, { upstream: Upstream; turn: Promise<unknown> }>()

  constructor(outbound: Outbound, urls: Urls) {
    this.#outbound = outbound
    this.#urls = urls
  }

  /** null: this domain's registry has no RDAP. Throws when it has, and does not answer. */
  async domain(name: string): Promise<Registration | null> {
    const { services } = await this.#list(this.#urls.RDAP_BOOTSTRAP_URL)
    const tld = name.slice(name.lastIndexOf('.') + 1)
    const base = baseOf(services.find(([tlds]) => tlds.some((one) => one.toLowerCase() === tld)))
    return base === null ? null : registrationOf(await this.#ask(base, `domain/${encodeURIComponent(name)}`))
  }

  /** null: nobody keeps this address. */
  async network(ip: string): Promise<Network | null> {
    const address = ipaddr.process(ip)
    const url = this.#urls.RDAP_IP_BOOTSTRAP_URL
    const { services } = await this.#list(address.kind() === 'ipv4' ? url : url.replace('ipv4', 'ipv6'))
    const base = baseOf(services.find(([ranges]) => ranges.some((range) => holds(range, address))))
    return base === null ? null : networkOf(await this.#ask(base, `ip/${address.toString()}`))
  }

  async #list(url: string): Promise<Bootstrap> {
    const known = this.#lists.get(url)
    if (known && known.freshUntil > Date.now()) return known
    try {
      const found = bootstrap.parse(await this.#ask(url, ''))
      const fresh = { services: found.services, freshUntil: Date.now() + week }
      this.#lists.set(url, fresh)
      return fresh
    } catch (error) {
      if (!known) throw error
      known.freshUntil = Date.now() + day
      return known
    }
  }

  async #ask(base: string, path: string): Promise<unknown> {
    const { origin } = new URL(base)
    const server = this.#servers.get(origin) ?? { upstream: new Upstream(origin), turn: Promise.resolve() }
    this.#servers.set(origin, server)
    const answer = server.turn.then(() => server.upstream.ask(() => this.#read(base + path)))
    server.turn = answer.catch(() => {})
    return answer
  }

  async #read(url: string): Promise<unknown> {
    const heard = await this.#outbound.request(url, {
      headers: { accept: 'application/rdap+json, application/json' },
      configured: new URL(this.#urls.RDAP_BOOTSTRAP_URL).origin,
    })
    if (heard.status === 200) return heard.json()
    heard.close()
    throw new UpstreamAnswer(new URL(url).host, heard.status, heard.headers['retry-after'])
  }
}

const bootstrap = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) })

/** The safest of the servers that are named. */
function baseOf(service: [string[], string[]] | undefined): string | null {
  const urls = service?.[1].filter((url) => URL.canParse(url)) ?? []
  const base = urls.find((url) => url.startsWith('https:')) ?? urls[0]
  return base ? base.replace(/\/?$/, '/') : null
}

function holds(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!ipaddr.isValidCIDR(range)) return false
  const [network, bits] = ipaddr.parseCIDR(range)
  return network.kind() === address.kind() && address.match([network, bits] as never) // of one kind, as was just seen
}

type Entity = { roles?: string[] | undefined; vcardArray?: unknown; entities?: unknown }
const entity: z.ZodType<Entity> = z.looseObject({
  roles: z.array(z.string()).optional(),
  vcardArray: z.unknown().optional(),
  entities: z.unknown().optional(),
})
const entities = z.array(entity).catch([])

const domainAnswer = z.looseObject({
  entities,
  events: z.array(z.looseObject({ eventAction: z.string(), eventDate: z.string() })).catch([]),
  nameservers: z.array(z.looseObject({ ldhName: z.string() })).catch([]),
})

function registrationOf(answer: unknown): Registration {
  const { entities: found, events, nameservers } = domainAnswer.parse(answer)
  const dayOf = (action: string) => {
    const at = Date.parse(events.find(({ eventAction }) => eventAction === action)?.eventDate ?? '')
    return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10)
  }
  const registrant = withRole(found, 'registrant')
  return {
    registrar: nameOf(withRole(found, 'registrar')),
    // A registry that keeps the name to itself has said that there is somebody.
    registrant: registrant ? (nameOf(registrant) ?? 'Redacted') : null,
    registered_on: dayOf('registration'),
    expires_on: dayOf('expiration') ?? dayOf('registrar expiration'),
    nameservers: nameservers
      .flatMap(({ ldhName }) => plainText(ldhName.toLowerCase().replace(/\.$/, '')) ?? [])
      .slice(0, 13),
  }
}

const networkAnswer = z.looseObject({
  entities,
  name: z.string().optional().catch(undefined),
  country: z.string().optional().catch(undefined),
})

function networkOf(answer: unknown): Network {
  const { entities: found, name, country } = networkAnswer.parse(answer)
  const owner = withRole(found, 'registrant')
  const address = owner && cardLine(owner, 'adr')
  return {
    owner: nameOf(owner) ?? plainText(name),
    country: plainText(country)?.toUpperCase() ?? null,
    region: plainText(Array.isArray(address) ? address[4] : undefined),
  }
}

const withRole = (found: Entity[], role: string) => found.find(({ roles }) => roles?.includes(role))

const nameOf = (who: Entity | undefined) =>
  who ? (plainText(cardLine(who, 'fn')) ?? plainText(cardLine(who, 'org'))) : null

/** The value of a line of the card: `["fn", {}, "text", "Names Inc."]`. */
function cardLine({ vcardArray }: Entity, name: string): unknown {
  const lines: unknown = Array.isArray(vcardArray) ? vcardArray[1] : []
  const line = Array.isArray(lines) ? lines.find((one) => Array.isArray(one) && one[0] === name) : undefined
  return Array.isArray(line) ? line[3] : undefined
}
