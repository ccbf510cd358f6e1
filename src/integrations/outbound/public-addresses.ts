import ipaddr from 'ipaddr.js'

type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6

/** Decides where outbound connections may go: to the public internet, or to ranges that the operator has allowed. */
export class PublicAddresses {
  readonly #allowed: [ParsedAddress, number][]

  /** `ranges` as in the setting: 10.0.0.0/8, 127.0.0.1, fd00::/8. */
  constructor(ranges: readonly string[] = []) {
    this.#allowed = ranges.map((range) =>
      range.includes('/')
        ? ipaddr.parseCIDR(range)
        : [ipaddr.parse(range), ipaddr.parse(range).kind() === 'ipv4' ? 32 : 128],
    )
  }

  /** Returns whether a connection is allowed: to a public address only on web ports, to an allowed range on every port. */
  mayReach(address: string, port: number): boolean {
    if (!ipaddr.isValid(address)) return false
    if (this.isInAllowedRange(address)) return true
    return (port === 80 || port === 443) && isPublicAddress(ipaddr.process(address))
  }

  /** Returns whether the operator has allowed this address. */
  isInAllowedRange(address: string): boolean {
    const plain = ipaddr.process(address) // ::ffff:127.0.0.1 is 127.0.0.1
    return this.#allowed.some((range) => plain.kind() === range[0].kind() && plain.match(range))
  }

  get allowsSome(): boolean {
    return this.#allowed.length > 0
  }
}

/** Azure's own services use this address on all of its machines. */
const blockedAddresses = new Set(['168.63.129.16'])
/** All IPv6 addresses that are assigned to networks; `::127.0.0.1` and the like are outside. */
const globalUnicastRange = ipaddr.parseCIDR('2000::/3')

/** Returns whether an address is known to be public: ranges that translate or tunnel to IPv4 are not. */
function isPublicAddress(address: ParsedAddress): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' ? !blockedAddresses.has(address.toString()) : address.match(globalUnicastRange)
}
