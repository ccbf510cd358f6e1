import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests that take longer are cut off: the process must stop before the supervisor kills it. */
const drainTimeoutMs = 15_000

/**
 * Lets a closing server end. Browsers open spare connections; Node treats one without a request as busy and would wait for it,
 * so those are closed at once.
 */
export function drainConnections(app: FastifyInstance) {
  const unused = new Set<Socket>()
  let leaving = false
  app.server.on('connection', (socket: Socket) => {
    if (leaving) return socket.destroy()
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    leaving = true
    for (const socket of unused) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs).unref()
  })
}
