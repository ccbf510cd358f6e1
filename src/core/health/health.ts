import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CoreContext } from '../core-context.ts'
import type { AppMetrics } from '../metrics/metrics.ts'
import { isEqualText } from '../secrets/secrets.ts'
import { canWriteDatabase } from './can-write.ts'

/** Returns whether the peer itself is on this machine. A request that a local proxy forwards does not count. */
export const isFromLoopback = (request: FastifyRequest) =>
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') &&
  request.headers['x-forwarded-for'] === undefined

const drainingContexts = new WeakSet<CoreContext>()

/**
 * Makes `/readyz` report not ready and keeps serving for a while, so that a proxy stops sending requests before the server
 * closes. Each kept-alive connection is closed with its next response.
 */
export async function announceShutdown(context: CoreContext): Promise<void> {
  drainingContexts.add(context)
  await pause(context.settings.STOP_DELAY * 1000)
}

export function mountHealth(app: FastifyInstance, context: CoreContext, metrics: AppMetrics) {
  // Anyone may ask: those who ask at once share one answer.
  let checking: Promise<boolean> | null = null
  const canWrite = () => {
    checking ??= canWriteDatabase(context).finally(() => {
      checking = null
    })
    return checking
  }
  app.addHook('preClose', async () => {
    drainingContexts.add(context)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (drainingContexts.has(context)) reply.header('connection', 'close')
  })

  app.get('/healthz', async () => ({ ok: true }))

  app.get('/readyz', async (_request, reply) => {
    const ready = !drainingContexts.has(context) && (await canWrite())
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ok: ready })
  })

  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer +(\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const expected = context.settings.METRICS_TOKEN
    const allowed =
      isFromLoopback(request) || (expected !== undefined && token !== undefined && isEqualText(token, expected))
    if (!allowed) return reply.status(403).send({ message: 'You are not allowed to do this' })
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
