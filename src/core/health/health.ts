import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CoreContext } from '../core-context.ts'
import type { AppMetrics } from '../metrics/metrics.ts'
import { isEqualText } from '../secrets/secrets.ts'
import { canWriteDatabase } from './can-write.ts'

/** What proxies add to a request that they pass on, whatever its kind: the standard's, and those in use before and beside it. */
const forwardingHeader =
  /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|true-client-ip|client-ip|(cf|fastly|fly)-.*|x-envoy-.*|x-azure-.*|x-amzn-.*|x-cloud-trace-context)$/

/**
 * Returns whether the request is made on this machine: by a peer on it, without a proxy in between, and for a host of this
 * installation. A page of another host that resolves to this machine is none.
 */
export const isFromLoopback = (request: FastifyRequest, { PUBLIC_URL }: { PUBLIC_URL: string }) =>
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') &&
  !Object.keys(request.headers).some((name) => forwardingHeader.test(name)) &&
  isOwnHost(request.headers.host ?? '', PUBLIC_URL)

function isOwnHost(host: string, publicUrl: string): boolean {
  const address = `http://${host}`
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname) || hostname === new URL(publicUrl).hostname
}

const drainingContexts = new WeakSet<CoreContext>()

/**
 * Makes `/servez` and `/readyz` answer 503 and keeps serving for a while, so that a proxy stops sending requests before the server
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

  const isServing = () => !drainingContexts.has(context)
  const answer = (reply: FastifyReply, ok: boolean) =>
    reply
      .status(ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ok })
  // For proxies: without PostgreSQL a process still keeps webhooks on its disk.
  app.get('/servez', async (_request, reply) => answer(reply, isServing()))
  app.get('/readyz', async (_request, reply) => answer(reply, isServing() && (await canWrite())))

  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer +(\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const expected = context.settings.METRICS_TOKEN
    const allowed =
      isFromLoopback(request, context.settings) ||
      (expected !== undefined && token !== undefined && isEqualText(token, expected))
    if (!allowed) return reply.status(403).send({ message: 'You are not allowed to do this' })
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
