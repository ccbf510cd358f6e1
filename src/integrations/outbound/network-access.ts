import { lookup, Resolver } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'

/** The network as it is. The demo and the tests stand in for it where names must mean something on one machine. */
export type NetworkAdapter = {
  /** The addresses of a name, those to be tried first at the front; none where it has none. */
  resolve(name: string): Promise<string[]>
  /** The name of an address, if it has one. */
  reverse(address: string): Promise<string | null>
  connect(address: string, port: number): Socket
  /** Certificates that are trusted here besides the public ones, as PEM. */
  authorities?: string
}

/** Asks the name servers directly: the system's own look-up takes one of four threads that files and passwords need too. */
export function createNetworkAdapter(): NetworkAdapter {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const none = () => []
  return {
    async resolve(name) {
      if (isIP(name)) return [name]
      // Names of this machine and its neighbours stand in no zone; they are answered from a file, at once.
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
