import ipaddr from 'ipaddr.js'

/**
 * Returns what an address counts as where attempts are limited: an IPv4 address itself, of an IPv6 address its first 64 bits,
 * because a caller who has one usually has all of them.
 */
export function getCallerNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address // a proxy may add a port
  const parsed = ipaddr.process(address) // ::ffff:192.0.2.1 is 192.0.2.1
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`)}/64`
}
