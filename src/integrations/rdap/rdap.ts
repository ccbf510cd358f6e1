import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { msPerDay } from '#contract/days.ts'
import type { OutboundClient } from '../outbound/outbound.ts'
import { parseAnswer } from '../outbound/parse-answer.ts'
import { toPlainText } from '../outbound/plain-text.ts'
import { CircuitBreaker, UpstreamStatusError } from '../outbound/upstream.ts'
import { type DomainRegistration, toRegistryDay } from './registration.ts'

/** RDAP's data about a network. */
type IpNetwork = { owner: string | null; country: string | null; region: string | null }

type RdapSettings = { RDAP_BOOTSTRAP_URL: string; RDAP_IP_BOOTSTRAP_URL: string }
type RdapBootstrap = { services: [string[], string[]][]; freshUntil: number }

const weekMs = 7 * msPerDay

/**
 * Reads from registries, found with IANA's lists. Each server has its own circuit breaker and gets one request at a time.
 * The lists are cached for a week; if a new one cannot be fetched, the old one is used for another day.
 */
export class RdapClient {
  readonly #outbound: OutboundClient
  readonly #urls: RdapSettings
  readonly #listOrigins: string[]
  readonly #lists = new Map<string, RdapBootstrap>()
  readonly #servers = new Map<string, { upstream: CircuitBreaker; turn: Promise<unknown> }>()

  constructor(outbound: OutboundClient, urls: RdapSettings) {
    this.#outbound = outbound
    this.#urls = urls
    this.#listOrigins = [urls.RDAP_BOOTSTRAP_URL, urls.RDAP_IP_BOOTSTRAP_URL].map((url) => new URL(url).origin)
  }

  /** Reads a domain; null if its registry has no RDAP. Throws if the registry does not respond. */
  async domain(name: string): Promise<DomainRegistration | null> {
    const { services } = await this.#list(this.#urls.RDAP_BOOTSTRAP_URL)
    const tld = name.slice(name.lastIndexOf('.') + 1)
    const base = pickServerUrl(services.find(([tlds]) => tlds.some((one) => one.toLowerCase() === tld)))
    return base === null ? null : toRegistration(await this.#ask(base, `domain/${encodeURIComponent(name)}`))
  }

  /** Reads the network of an address; null if no registry has it. */
  async network(ip: string): Promise<IpNetwork | null> {
    const address = ipaddr.process(ip)
    const url = this.#urls.RDAP_IP_BOOTSTRAP_URL
    const { services } = await this.#list(address.kind() === 'ipv4' ? url : url.replace('ipv4', 'ipv6'))
    const base = pickServerUrl(services.find(([ranges]) => ranges.some((range) => isInRange(range, address))))
    return base === null ? null : toIpNetwork(await this.#ask(base, `ip/${address.toString()}`))
  }

  async #list(url: string): Promise<RdapBootstrap> {
    const known = this.#lists.get(url)
    if (known && known.freshUntil > Date.now()) return known
    try {
      const found = parseAnswer(new URL(url).host, bootstrapSchema, await this.#ask(url, ''))
      const fresh = { services: found.services, freshUntil: Date.now() + weekMs }
      this.#lists.set(url, fresh)
      return fresh
    } catch (error) {
      if (!known) throw error
      known.freshUntil = Date.now() + msPerDay
      return known
    }
  }

  async #ask(base: string, path: string): Promise<unknown> {
    const { origin } = new URL(base)
    const server = this.#servers.get(origin) ?? { upstream: new CircuitBreaker(origin), turn: Promise.resolve() }
    this.#servers.set(origin, server)
    const answer = server.turn.then(() => server.upstream.ask(() => this.#read(base + path)))
    server.turn = answer.catch(() => {})
    return answer
  }

  async #read(url: string): Promise<unknown> {
    const { origin, host } = new URL(url)
    const response = await this.#outbound.request(url, {
      headers: { accept: 'application/rdap+json, application/json' },
      ...(this.#listOrigins.includes(origin) && { configured: origin }),
    })
    if (response.status === 200) return response.json()
    response.close()
    throw new UpstreamStatusError(host, response.status, response.headers['retry-after'])
  }
}

const bootstrapSchema = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) })

/** Returns the first https address of a service, else its first one. */
function pickServerUrl(service: [string[], string[]] | undefined): string | null {
  const urls = service?.[1].filter((url) => URL.canParse(url)) ?? []
  const base = urls.find((url) => url.startsWith('https:')) ?? urls[0]
  return base ? base.replace(/\/?$/, '/') : null
}

function isInRange(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!ipaddr.isValidCIDR(range)) return false
  const [network, bits] = ipaddr.parseCIDR(range)
  return network.kind() === address.kind() && address.match([network, bits] as never) // both are of the same kind
}

type RdapEntity = { roles?: string[] | undefined; vcardArray?: unknown; entities?: unknown }
const entitySchema: z.ZodType<RdapEntity> = z.looseObject({
  roles: z.array(z.string()).optional(),
  vcardArray: z.unknown().optional(),
  entities: z.unknown().optional(),
})
/** A list without its members of another shape: one says nothing of the others. */
const listOf = <Member extends z.ZodType>(member: Member) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.flatMap((one) => {
        const parsed = member.safeParse(one)
        return parsed.success ? [parsed.data] : []
      }),
    )
const entitiesSchema = listOf(entitySchema)

const domainResponseSchema = z.looseObject({
  entities: entitiesSchema,
  events: listOf(z.looseObject({ eventAction: z.string(), eventDate: z.string() })),
  nameservers: listOf(z.looseObject({ ldhName: z.string() })),
})

function toRegistration(answer: unknown): DomainRegistration {
  const { entities: found, events, nameservers } = parseAnswer('The registry', domainResponseSchema, answer)
  const dayOf = (action: string) =>
    toRegistryDay(new Date(events.find(({ eventAction }) => eventAction.toLowerCase() === action)?.eventDate ?? ''))
  const registrant = findEntityByRole(found, 'registrant')
  return {
    registrar: getEntityName(findEntityByRole(found, 'registrar')),
    // A registrant without a name exists, but is not published.
    registrant: registrant ? (getEntityName(registrant) ?? 'Redacted') : null,
    registered_on: dayOf('registration'),
    expires_on: dayOf('expiration') ?? dayOf('record expires') ?? dayOf('registrar expiration'), // the second is .kg's
    nameservers: nameservers
      .flatMap(({ ldhName }) => toPlainText(ldhName.toLowerCase().replace(/\.$/, '')) ?? [])
      .slice(0, 13),
  }
}

const networkResponseSchema = z.looseObject({
  entities: entitiesSchema,
  name: z.string().optional().catch(undefined),
  country: z.string().optional().catch(undefined),
})

function toIpNetwork(answer: unknown): IpNetwork {
  const { entities: found, name, country } = parseAnswer('The registry', networkResponseSchema, answer)
  const owner = findEntityByRole(found, 'registrant')
  const address = owner && getVcardValue(owner, 'adr')
  return {
    owner: getEntityName(owner) ?? toPlainText(name),
    country: toPlainText(country)?.toUpperCase() ?? null,
    region: toPlainText(Array.isArray(address) ? address[4] : undefined),
  }
}

const findEntityByRole = (found: RdapEntity[], role: string) =>
  found.find(({ roles }) => roles?.some((one) => one.toLowerCase() === role))

const getEntityName = (who: RdapEntity | undefined) =>
  who ? (toPlainText(getVcardValue(who, 'fn')) ?? toPlainText(getVcardValue(who, 'org'))) : null

/** Returns the value of a vCard property: `["fn", {}, "text", "Names Inc."]`. */
function getVcardValue({ vcardArray }: RdapEntity, name: string): unknown {
  const lines: unknown = Array.isArray(vcardArray) ? vcardArray[1] : []
  const line = Array.isArray(lines) ? lines.find((one) => Array.isArray(one) && one[0] === name) : undefined
  return Array.isArray(line) ? line[3] : undefined
}
