import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { House } from './house.ts'
import type { Metrics } from './metrics.ts'
import { sameText } from './secrets.ts'

/** The peer itself, never a forwarded address: a proxy on this machine speaks for everybody. */
export const fromLoopback = (request: FastifyRequest) =>
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') &&
  request.headers['x-forwarded-for'] === undefined

export function mountHealth(app: FastifyInstance, house: House, metrics: Metrics) {
  let leaving = false
  app.addHook('preClose', async () => {
    leaving = true
  })

  app.get('/healthz', async () => ({ ok: true }))

  app.get('/readyz', async (_request, reply) => {
    const ready = !leaving && (await canWrite(house))
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

/** A write proves what a read does not: with a full disk `select 1` still works. */
async function canWrite({ db, log }: House): Promise<boolean> {
  try {
    await db.execute(
      sql`insert into heartbeat (id, at) values (1, now()) on conflict (id) do update set at = excluded.at`,
    )
    return true
  } catch (error) {
    log.warn({ err: error }, 'not ready')
    return false
  }
}
