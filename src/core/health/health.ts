import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { House } from '../app-context.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { sameText } from '../secrets/secrets.ts'
import { canWrite } from './can-write.ts'

/** The peer itself, never a forwarded address: a proxy on this machine speaks for everybody. */
export const fromLoopback = (request: FastifyRequest) =>
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') &&
  request.headers['x-forwarded-for'] === undefined

const leaving = new WeakSet<House>()

/**
 * Asked to stop, we say so at `/readyz` and go on serving for a while: a proxy that asks there sends nobody to us any more when
 * the door closes. Its kept connections are given up one by one, with their next answer.
 */
export async function sayGoodbye(house: House): Promise<void> {
  leaving.add(house)
  await pause(house.settings.STOP_DELAY * 1000)
}

export function mountHealth(app: FastifyInstance, house: House, metrics: Metrics) {
  app.addHook('preClose', async () => {
    leaving.add(house)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (leaving.has(house)) reply.header('connection', 'close')
  })

  app.get('/healthz', async () => ({ ok: true }))

  app.get('/readyz', async (_request, reply) => {
    const ready = !leaving.has(house) && (await canWrite(house))
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ok: ready })
  })

  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer +(\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const expected = house.settings.METRICS_TOKEN
    const allowed =
      fromLoopback(request) || (expected !== undefined && token !== undefined && sameText(token, expected))
    if (!allowed) return reply.status(403).send({ message: 'You are not allowed to do this' })
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
