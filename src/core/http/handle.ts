import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { AccessSubject } from '#contract/allow.ts'
import {
  type ApiContract,
  type BodyOf,
  type Endpoint,
  isRefusedInView,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  viewRefusal,
} from '#contract/endpoint.ts'
import { requiredId } from '#contract/fields.ts'
import type { BeforeJson } from '#contract/instants.ts'
import { findResponseSecrets, hideSecrets } from '#contract/secret-fields.ts'
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
import { answerOnce, readIdempotencyKey } from './idempotency.ts'
import { JsonText } from './json-text.ts'

/** The signed-in user, as far as src/core needs it: rights, and the name in the audit log. */
type AuthenticatedUser = AccessSubject &
  AuditAuthor & {
    /** Whether the user must set up a second factor before anything else. */
    mustEnrol: boolean
    /** Whether the last confirmation of identity in this session is too old. */
    isProofOld: boolean
    /** In a read-only view as this user: the user who views. */
    seenBy: { id: number; username: string } | null
  }
/** Finds the user of a token; null if it is unknown or expired. Throws if the token may not make this request. */
export type AuthenticateRequest<User extends AuthenticatedUser = AuthenticatedUser> = (
  token: string,
  request: FastifyRequest,
) => Promise<User | null>

/** Whether the user of a request still has every right with which it began. */
type CheckRights = (request: FastifyRequest) => Promise<boolean>

/** The input of a handler: the user, the parsed request, and the context. */
export type EndpointCall<E, User, Context> = {
  me: E extends { allow: { guests: true } } ? User | null : User
  params: ParamsOf<E>
  query: QueryOf<E>
  body: E extends { raw: true } ? Buffer : BodyOf<E>
  context: Context
  db: Db
  /** The user and the request, for the audit log. */
  actor: AuditActor
  request: FastifyRequest
  reply: FastifyReply
  /** Aborted when the server shuts down, to end streams. */
  closing: AbortSignal
  /** Whether the user still has every right with which the call began. A long response asks again and again. */
  keepsRights: () => Promise<boolean>
  /** Whether the secrets of the response will be null. */
  hidesSecrets: boolean
}
type EndpointHandler<E, User, Context> = (call: EndpointCall<E, User, Context>) => Promise<Answer<E>> | Answer<E>
type Answer<E> = BeforeJson<ResponseOf<E>> | JsonText | undefined
export type ContractHandlers<C extends ApiContract, User, Context> = {
  [Name in keyof C]: EndpointHandler<C[Name], User, Context>
}
export type ImplementedEndpoint = { endpoint: Endpoint; handle: EndpointHandler<never, never, never> }

/** Binds each call of a contract to its handler; a missing one does not compile. */
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
    /** All calls, for a handler that describes others. */
    endpoints: readonly Endpoint[]
  }
  interface FastifyContextConfig {
    /** Whether the call takes a file instead of JSON. */
    isUpload?: boolean
  }
}

/**
 * Mounts the calls. Each checks in this order: session (401), rule and recent proof (403), input (404 for an invalid path, 422),
 * then runs its handler. The first two come before the body is read, so a refused caller learns nothing about it.
 */
export function mountEndpoints(
  app: FastifyInstance,
  context: CoreContext,
  calls: readonly ImplementedEndpoint[],
  authenticate: AuthenticateRequest,
  keepsRights: CheckRights,
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
      config: { isUpload: endpoint.upload === true },
      // Machines call hooks, up to thousands of times a second: no security headers for browsers, no compression.
      ...(endpoint.raw ? { helmet: false as const, compress: false as const } : {}),
      onRequest: async (request) => {
        request.me = await authenticateRequest(authenticate, request, endpoint.image)
        rejectSecrets(request.me, endpoint)
        if (request.me?.seenBy && isRefusedInView(endpoint)) throw new HttpError(403, viewRefusal)
        if (allow.guests) return
        if (!request.me) throw unauthorizedError()
        if (request.me.mustEnrol && !endpoint.openBeforeEnrolment) throw enrolmentError()
        if (!allow(request.me)) throw forbiddenError()
        if (endpoint.reauthenticate && request.me.isProofOld) throw reauthenticationError()
      },
      handler: async (request, reply) => {
        const named = params.safeParse(request.params)
        if (!named.success) throw notFoundError()
        const hidesSecrets = mayReadNoSecret(request.me) && !endpoint.newSecret
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
          keepsRights: () => keepsRights(request),
          hidesSecrets,
        }
        const run = async () => handle(call as never) // bound to its contract by the types above
        // Found when they are first hidden: to look through the schemas of all calls is a quarter of a start.
        const secrets = hidesSecrets ? findResponseSecrets(endpoint) : []
        const makeAnswer = () => (secrets.length > 0 ? runWithoutSecrets(run, secrets) : run())
        const key = request.me ? readIdempotencyKey(endpoint, request) : undefined
        const answer =
          request.me && key !== undefined
            ? await answerOnce(context, { me: request.me, key, request }, makeAnswer)
            : await makeAnswer()
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

/** Secrets are for the person themselves: a viewer or the holder of a key would keep what outlives the view or the key. */
const mayReadNoSecret = (me: AuthenticatedUser | null) => Boolean(me?.seenBy || me?.key)

/** Throws 403 for a call that only returns a secret. */
function rejectSecrets(me: AuthenticatedUser | null, { secret }: Endpoint) {
  if (!secret) return
  if (me?.seenBy) throw new HttpError(403, 'Secrets are not shown while you see this as another person')
  if (me?.key) throw new HttpError(403, 'Secrets are not shown to API keys')
}

/** Returns the answer of a handler, or throws its 409, with null for the secrets. */
async function runWithoutSecrets(run: () => Promise<unknown>, secrets: ReturnType<typeof findResponseSecrets>) {
  try {
    const answer = await run()
    return hideSecrets(answer instanceof JsonText ? JSON.parse(answer.text) : answer, secrets)
  } catch (error) {
    if (error instanceof HttpError && error.more)
      error.more = hideSecrets(error.more, secrets) as Record<string, unknown> // a copy of it
    throw error
  }
}

/** Makes a scope take every body as bytes, whatever its content type is, even an invalid one. */
function acceptRawBodies(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.addHook('onRequest', async (request) => {
    delete request.raw.headers['content-type'] // the original value stays in rawHeaders
  })
  return scope
}

const bearerPattern = /^Bearer +(\S+)$/i

/** Returns the user of the token in the Authorization header; for an image it may be in `api_token`. */
export function authenticateRequest<User extends AuthenticatedUser>(
  authenticate: AuthenticateRequest<User>,
  request: FastifyRequest,
  image = false,
): Promise<User | null> | null {
  const { api_token } = request.query as { api_token?: unknown } // the query parser returns an object
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

/** Turns `campaign_ids[]=3` and `campaign_ids[0]=3` into `campaign_ids=3`, with the values of all spellings. */
function stripBrackets(query: unknown): Record<string, unknown> {
  const plain = new Map<string, unknown>()
  for (const [key, value] of Object.entries(query ?? {})) {
    const name = key.replace(/\[\d*\]$/, '')
    plain.set(name, plain.has(name) ? [plain.get(name), value].flat() : value)
  }
  return Object.fromEntries(plain)
}
