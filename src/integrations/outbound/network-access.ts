import { lookup, Resolver } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'

/** Access to the network. The demo and the tests replace it, so that names resolve to sites on one machine. */
export type NetworkAdapter = {
  /** Returns the addresses of a name in the order to try them; none if it has none. */
  resolve(name: string): Promise<string[]>
  /** Returns the name of an address, if it has one. */
  reverse(address: string): Promise<string | null>
  connect(address: string, port: number): Socket
  /** Certificates to trust, as PEM, instead of the public ones. */
  authorities?: string
}

/** Queries name servers directly: the system's own lookup occupies one of four threads that files and passwords need too. */
export function createNetworkAdapter(): NetworkAdapter {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const none = () => []
  return {
    async resolve(name) {
      if (isIP(name)) return [name]
      // Names of this machine and its neighbors are in no zone; the system reads them from a file, at once.
      if (!name.includes('.') || name.endsWith('.localhost'))
        return lookup(name, { all: true }).then((found) => found.map(({ address }) => address), none)
      const [four, six] = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)])
      return [...four, ...six]
    },
    async reverse(address) {
      const [name] = await resolver.reverse(address).catch(none)
      return name ?? null
    },
    connect: (host, port) => connect({ host, port }),
  }
}
