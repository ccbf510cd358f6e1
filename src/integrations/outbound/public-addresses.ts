import ipaddr from 'ipaddr.js'

type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6

/** Where an outbound connection may end: on the public internet, or in a range that the operator allowed by name. */
export class PublicAddresses {
  readonly #allowed: [ParsedAddress, number][]

  /** `ranges` as the setting has them: 10.0.0.0/8, 127.0.0.1, fd00::/8. */
  constructor(ranges: readonly string[] = []) {
    this.#allowed = ranges.map((range) =>
      range.includes('/')
        ? ipaddr.parseCIDR(range)
        : [ipaddr.parse(range), ipaddr.parse(range).kind() === 'ipv4' ? 32 : 128],
    )
  }

  /** A public address is spoken to on the ports of the web only, an allowed range on every port. */
  mayReach(address: string, port: number): boolean {
    if (!ipaddr.isValid(address)) return false
    const plain = ipaddr.process(address) // ::ffff:127.0.0.1 is 127.0.0.1
    if (this.#allowed.some((range) => plain.kind() === range[0].kind() && plain.match(range))) return true
    return (port === 80 || port === 443) && isPublicAddress(plain)
  }

  get allowsSome(): boolean {
    return this.#allowed.length > 0
  }
}

/** Azure's own services answer on this one to every machine of theirs. */
const blockedAddresses = new Set(['168.63.129.16'])
/** All of IPv6 that is handed out to networks; `::127.0.0.1` and the like are outside. */
const globalUnicastRange = ipaddr.parseCIDR('2000::/3')

/** Only what is known to be public: ranges that translate or tunnel to IPv4 are none of it. */
function isPublicAddress(address: ParsedAddress): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' ? !blockedAddresses.has(address.toString()) : address.match(globalUnicastRange)
}
