import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { AccessSubject } from '#contract/allow.ts'
import type { ApiContract, BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoint.ts'
import { requiredId } from '#contract/fields.ts'
import type { AuditActor, AuditAuthor } from '../audit/write-audit.ts'
import type { CoreContext } from '../core-context.ts'
import type { Db } from '../db/db.ts'
import {
  enrolmentError,
  forbiddenError,
  HttpError,
  notFoundError,
  reauthenticationError,
  toFieldErrors,
  unauthorizedError,
  validationError,
} from './errors.ts'

/** JSON that PostgreSQL already built; passed through as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Who is signed in, as far as the toolkit must know: their rights, and whom the audit log names. */
type AuthenticatedUser = AccessSubject &
  AuditAuthor & {
    /** Whether they must set up a second factor before anything else. */
    mustEnrol: boolean
    /** Whether it is too long ago that this session proved who holds it. */
    isProofOld: boolean
    /** Who looks, in a read-only view as this person. */
    seenBy: { id: number; username: string } | null
  }
/** Finds who holds a token; null where it is unknown or expired. Throws where the token may not make this request. */
export type AuthenticateRequest<User extends AuthenticatedUser = AuthenticatedUser> = (
  token: string,
  request: FastifyRequest,
) => Promise<User | null>

/** What a handler gets: who asks, what they sent (parsed), and the context. */
export type EndpointCall<E, User, Context> = {
  me: E extends { allow: { guests: true } } ? User | null : User
  params: ParamsOf<E>
  query: QueryOf<E>
  body: E extends { raw: true } ? Buffer : BodyOf<E>
  context: Context
  db: Db
  /** Who and through which request, for the audit trail. */
  actor: AuditActor
  request: FastifyRequest
  reply: FastifyReply
  /** Aborted when the server is asked to stop: what would go on for ever ends then. */
  closing: AbortSignal
}
type EndpointHandler<E, User, Context> = (
  call: EndpointCall<E, User, Context>,
) => Promise<ResponseOf<E> | JsonText | undefined> | ResponseOf<E> | JsonText | undefined
export type ContractHandlers<C extends ApiContract, User, Context> = {
  [Name in keyof C]: EndpointHandler<C[Name], User, Context>
}
export type ImplementedEndpoint = { endpoint: Endpoint; handle: EndpointHandler<never, never, never> }

/** Binds each call of a contract to its handler; one left out does not compile. */
export function implementContract<C extends ApiContract, User, Context>(
  contract: C,
  handlers: ContractHandlers<C, User, Context>,
): ImplementedEndpoint[] {
  return Object.entries(contract).map(([name, endpoint]) => ({ endpoint, handle: handlers[name as keyof C] }))
}

declare module 'fastify' {
  interface FastifyRequest {
    me: AuthenticatedUser | null
  }
  interface FastifyInstance {
    /** Every call, for a handler that explains another one. */
    endpoints: readonly Endpoint[]
  }
}

/**
 * Mounts the calls. Each walks the same line: session (401), rule and proof (403), shape (404 for a path that names nothing, 422),
 * handler. The first two come before the body is read, so a refused caller learns nothing about it.
 */
export function mountEndpoints(
  app: FastifyInstance,
  context: CoreContext,
  calls: readonly ImplementedEndpoint[],
  authenticate: AuthenticateRequest,
) {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  app.decorate(
    'endpoints',
    calls.map(({ endpoint }) => endpoint),
  )
  for (const { endpoint, handle } of calls) {
    const { allow, method, path } = endpoint
    const params = createParamsSchema(endpoint)
    const route: RouteOptions = {
      method,
      url: `/api${path}`,
      // A machine takes the answer of a hook, thousands a second in a rush: what guards browsers is not for it.
      ...(endpoint.raw ? { helmet: false as const, compress: false as const } : {}),
      onRequest: async (request) => {
        request.me = await authenticateRequest(authenticate, request, endpoint.image)
        if (request.me?.seenBy) rejectWriteInView(endpoint)
        if (allow.guests) return
        if (!request.me) throw unauthorizedError()
        if (request.me.mustEnrol && !endpoint.openBeforeEnrolment) throw enrolmentError()
        if (!allow(request.me)) throw forbiddenError()
        if (endpoint.reauthenticate && request.me.isProofOld) throw reauthenticationError()
      },
      handler: async (request, reply) => {
        const named = params.safeParse(request.params)
        if (!named.success) throw notFoundError()
        const call = {
          me: request.me,
          params: named.data,
          query: parseInput(endpoint.query, stripBrackets(request.query)) ?? {},
          body: endpoint.raw ? (request.body ?? Buffer.alloc(0)) : parseInput(endpoint.body, request.body),
          context,
          db: context.db,
          actor: { me: request.me?.seenBy ?? request.me, requestId: request.id, address: request.ip },
          request,
          reply,
          closing: closing.signal,
        }
        const answer = await handle(call as never) // the types above bind contract and handler
        if (reply.sent || endpoint.streams) return reply
        if (answer instanceof JsonText) return reply.type('application/json; charset=utf-8').send(answer.text)
        if (answer === undefined) return reply.status(204).send()
        return reply.send(answer)
      },
    }
    if (endpoint.raw) app.register(async (scope) => acceptRawBodies(scope).route(route))
    else app.route(route)
  }
}

/** Throws 403 for a call that changes something, or tells only a secret, in a view as another person. */
function rejectWriteInView({ method, secret, endsView }: Endpoint) {
  if (secret) throw new HttpError(403, 'Secrets are not shown while you see this as another person')
  if (method !== 'GET' && !endsView)
    throw new HttpError(403, 'Nothing can be changed while you see this as another person')
}

/** A room where every body is its bytes, whatever it says it is: even a content type that is none at all. */
function acceptRawBodies(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.addHook('onRequest', async (request) => {
    delete request.raw.headers['content-type'] // as sent, it is still among the raw headers
  })
  return scope
}

const bearerPattern = /^Bearer +(\S+)$/i

/** The holder of the token in the Authorization header. An image may name it in `api_token`. */
export function authenticateRequest<User extends AuthenticatedUser>(
  authenticate: AuthenticateRequest<User>,
  request: FastifyRequest,
  image = false,
): Promise<User | null> | null {
  const { api_token } = request.query as { api_token?: unknown } // the query parser makes an object
  const token =
    bearerPattern.exec(request.headers.authorization ?? '')?.[1] ??
    (image && typeof api_token === 'string' ? api_token : null)
  return token ? authenticate(token, request) : null
}

const pathIdSchema = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
  requiredId('Not an id'),
)

function createParamsSchema({ path, params }: Endpoint) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return z.object(Object.fromEntries(names.map((name) => [name, params?.[name] ?? pathIdSchema])))
}

function parseInput(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw validationError(toFieldErrors(parsed.error))
  return parsed.data
}

/** `campaign_ids[]=3` is taken for `campaign_ids=3`. */
function stripBrackets(query: unknown): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(query ?? {})) plain[key.replace(/\[\d*\]$/, '')] = value
  return plain
}
