import type { FastifyRequest } from 'fastify'

/** The headers that may explain an event later on; none that opens anything. */
export function pickDebugHeaders({ raw }: FastifyRequest): Record<string, string> {
  const kept = ['content-type', 'user-agent', 'signature', 'x-hook-test']
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index]!.toLowerCase()
    if (kept.includes(name)) pairs.push([name, raw.rawHeaders[index + 1]!.slice(0, 500)])
  }
  return Object.fromEntries(pairs)
}
