import type { FastifyRequest } from 'fastify'

/** Returns the headers that help to debug an event, none of them secret. */
export function pickDebugHeaders({ raw }: FastifyRequest): Record<string, string> {
  const kept = ['content-type', 'user-agent', 'signature', 'x-hook-test']
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index]!.toLowerCase()
    if (kept.includes(name)) pairs.push([name, raw.rawHeaders[index + 1]!.slice(0, 500)])
  }
  return Object.fromEntries(pairs)
}
