import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { isTooDeep, tooDeepMessage } from '#contract/json-depth.ts'
import { mountHealth } from '#core/health/health.ts'
import { mountDocs } from '#core/http/api-docs.ts'
import { decodeBytes, readCharset } from '#core/http/decode-bytes.ts'
import { discardBody } from '#core/http/discard-body.ts'
import { drainConnections } from '#core/http/drain.ts'
import { HttpError, isDatabaseUnavailable } from '#core/http/errors.ts'
import { mountEndpoints } from '#core/http/handle.ts'
import { OutageLog } from '#core/http/outage-log.ts'
import { contentSecurityPolicy, mountWeb } from '#core/http/static-files.ts'
import { maskUrl } from '#core/log/log.ts'
import { AppMetrics, type RequestGroup } from '#core/metrics/metrics.ts'
import { authenticateCall, keepsRights } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { operationalGauges, readOperationalMetrics } from './operational-metrics.ts'
import { createPageHeads } from './page-head.ts'
import { allEndpoints } from './parts.ts'

/** Creates the HTTP server with every endpoint, page and hook; it does not listen yet. */
export async function createApp(context: AppContext): Promise<FastifyInstance> {
  const { settings, log } = context
  const authenticateToken = (token: string, request: FastifyRequest) => authenticateCall(context, token, request)
  const metrics = new AppMetrics({
    jobs: context.jobs,
    gauges: operationalGauges,
    read: () => readOperationalMetrics(context),
  })
  const app = fastify({
    logger: false,
    trustProxy: settings.TRUSTED_PROXIES ?? false,
    bodyLimit: 1024 * 1024,
    requestTimeout: 300_000, // for a whole request to arrive; Fastify's own has no end, so a dripping body kept its connection
    routerOptions: { maxParamLength: 300 },
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    forceCloseConnections: 'idle',
    // An address that cannot be decoded never reaches the error handler below.
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const { status, body } = toErrorResponse(error, request)
      return reply.status(status).send(body)
    },
  })

  const outageLog = new OutageLog(log)
  drainConnections(app)
  app.decorateRequest('me', null)
  app.removeContentTypeParser('text/plain')
  const json = app.getDefaultJsonParser('error', 'error')
  // An empty body counts as none: requests without a body may still name a content type.
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const text = decodeBytes(body, readCharset(request.headers['content-type'] ?? ''))
    if (isTooDeep(text)) done(new HttpError(422, tooDeepMessage))
    else json(request, text, done)
  })

  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(settings),
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: settings.PUBLIC_URL.startsWith('https:') ? undefined : false,
  })
  // Codings are the same in any case, and this is an older name of gzip (RFC 9110).
  app.addHook('onRequest', async ({ headers }) => {
    if (headers['content-encoding'])
      headers['content-encoding'] = headers['content-encoding']
        .trim()
        .toLowerCase()
        .replace(/^x-gzip$/, 'gzip')
  })
  await app.register(compress, {
    onUnsupportedRequestEncoding: () => new HttpError(415, 'Please send the body plain, or with gzip, deflate or br'),
    threshold: 1024,
    encodings: ['br', 'gzip'],
    customTypes: /^(text\/(?!event-stream)|application\/(json|javascript))/,
  })

  await app.register(multipart)

  // Two hosts are two meanings: a proxy may have judged the one, and the program reads the other.
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    if (hosts.length > 1) throw new HttpError(400, 'A request has one Host header')
  })

  // One wide event per request.
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const isHook = route.startsWith('/api/hooks/')
    const isStored = isHook && reply.statusCode < 300 && context.hookJournal.isIdle
    if (isStored || (request.me && reply.statusCode < 500)) outageLog.recover()
    metrics.request({
      method: request.method,
      route,
      group: getRequestGroup(route, reply),
      status: reply.statusCode,
      ms: reply.elapsedTime,
    })
    log.info(
      {
        id: request.id,
        method: request.method,
        url: maskUrl(request.url),
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user: request.me?.id,
        key: request.me?.key?.id,
        seen_by: request.me?.seenBy?.id,
        address: request.ip,
      },
      'request',
    )
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })

  app.setErrorHandler(async (error: FastifyError | HttpError, request, reply) => {
    // Refusals carry the security headers too, even on endpoints for machines.
    if (!reply.raw.hasHeader('content-security-policy')) await reply.helmet()
    const { status, body } = toErrorResponse(error, request)
    // Fastify closes the connection for the sake of what is still to come.
    if (status === 413 && (await discardBody(request.raw))) reply.removeHeader('connection')
    const line = { id: request.id, url: maskUrl(request.url), err: error }
    if (status === 503) reply.header('retry-after', '2')
    if (status === 503 && !(error instanceof HttpError)) outageLog.refuse(line)
    else if (status >= 500) log.error(line, 'request failed')
    if (error instanceof HttpError && error.retryAfter) reply.header('retry-after', error.retryAfter)
    return reply.status(status).send(body)
  })

  mountEndpoints(app, context, allEndpoints, authenticateToken, (request) => keepsRights(context.db, request))
  // For people who add .pdf to the address of a report.
  app.get('/report/:key.pdf', (request, reply) => reply.redirect(`/api${request.url}`))
  mountHealth(app, context, metrics)
  mountDocs(app, { endpoints: allEndpoints, settings, authenticate: authenticateToken })
  await mountWeb(app, createPageHeads(context))
  return app
}

function toErrorResponse(
  error: FastifyError | HttpError,
  { id, routeOptions }: FastifyRequest,
): { status: number; body: Record<string, unknown> } {
  if (error instanceof HttpError)
    return {
      status: error.status,
      body: { message: error.message, ...(error.errors ? { errors: error.errors } : {}), ...error.more },
    }
  const status = error.statusCode ?? 500
  if (status === 415 && routeOptions.config.isUpload)
    return { status, body: { message: 'Please send the file as multipart form data, in the field “file”' } }
  if (status < 500) return { status, body: { message: statusMessages[status] ?? 'This request cannot be understood' } }
  if (isDatabaseUnavailable(error))
    return { status: 503, body: { message: 'The server is not ready, please try again in a moment' } }
  return { status: 500, body: { message: 'Something went wrong', request_id: id } }
}

const statusMessages: Record<number, string> = {
  404: 'Not found',
  413: 'This is too large',
  415: 'Please send JSON (Content-Type: application/json)',
}

function getRequestGroup(route: string, reply: FastifyReply): RequestGroup {
  if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return 'stream'
  if (!route.startsWith('/api/') || reply.hasHeader('content-disposition')) return 'file'
  return route.startsWith('/api/hooks/') ? 'hook' : 'api'
}
