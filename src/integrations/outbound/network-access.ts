import { randomUUID } from 'node:crypto'
import { CONNREFUSED, lookup, NOTFOUND, NOTIMP, REFUSED, Resolver, SERVFAIL, TIMEOUT } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'

/** Access to the network. The demo and the tests replace it, so that names resolve to sites on one machine. */
export type NetworkAdapter = {
  /** Returns the addresses of a name in the order to try them; none if it has none. Throws if its name servers do not answer. */
  resolve(name: string): Promise<string[]>
  /** Returns whether names can be resolved at all. */
  namesResolve(): Promise<boolean>
  /** Returns the name of an address, if it has one. */
  reverse(address: string): Promise<string | null>
  connect(address: string, port: number): Socket
  /** Certificates to trust, as PEM, instead of the public ones. */
  authorities?: string
}

/** Queries name servers directly: the system's own lookup occupies one of four threads that files and passwords need too. */
export function createNetworkAdapter({
  nameServers,
  timeout = 3000,
}: {
  /** Instead of those of this machine. */
  nameServers?: string[]
  timeout?: number
} = {}): NetworkAdapter {
  const resolver = new Resolver({ timeout, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  return {
    async resolve(name) {
      if (isIP(name)) return [name]
      // Names of this machine and its neighbors are in no zone; the system reads them from a file, at once.
      if (!name.includes('.') || name.endsWith('.localhost'))
        return lookup(name, { all: true }).then((found) => found.map(({ address }) => address), noAddress)
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      const failures = found.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      // A name that does not exist has neither kind of address, whatever became of the other question.
      if (addresses.length === 0 && !failures.some(({ code }) => code === NOTFOUND)) failures.forEach(noAddress)
      return addresses
    },
    async namesResolve() {
      // No name server on the way has the answer to this, except from those of the zone.
      const name = `${randomUUID()}.com`
      return resolver.resolve4(name).then(
        () => true,
        ({ code }) => !noAnswerCodes.has(code),
      )
    },
    async reverse(address) {
      const [name] = await resolver.reverse(address).catch(() => [])
      return name ?? null
    },
    connect: (host, port) => connect({ host, port }),
  }
}

/** The name servers gave no answer, or none that says anything about the name. */
const noAnswerCodes: ReadonlySet<unknown> = new Set([SERVFAIL, REFUSED, CONNREFUSED, TIMEOUT, NOTIMP, 'EAI_AGAIN'])

function noAddress(error: NodeJS.ErrnoException): string[] {
  if (noAnswerCodes.has(error.code)) throw error
  return []
}
