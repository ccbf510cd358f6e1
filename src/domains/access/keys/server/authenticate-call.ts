import type { FastifyRequest } from 'fastify'
import { forbiddenError, unauthorizedError } from '#core/http/errors.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { type CurrentUser, findUserByToken } from '#domains/access/server/current-user.ts'
import type { AppContext } from '#domains/app-context.ts'

/** Per key. */
const callsPerMinute = 120
const countCall = createRateLimit(callsPerMinute, `At most ${callsPerMinute} calls a minute`)

/** Accounts, rights and keys are off limits to API keys, whatever their pages. */
const peopleOnlyPattern = /^\/api\/(keys(\/|$)|user|admin\/|leads-handlers(\/|$))/
const ownAccountRoute = '/api/user/me'

/** Returns the caller: the holder of a session, or of an API key that may make this call. */
export async function authenticateCall(
  context: AppContext,
  token: string,
  request: FastifyRequest,
): Promise<CurrentUser | null> {
  const me = await findUserByToken(context.db, token)
  if (!me?.key) return me
  if (!request.headers.authorization) throw unauthorizedError() // a key in the URL would end up in logs
  await countCall(context, me.key.id)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const route = request.routeOptions.url ?? ''
  const isRefused = peopleOnlyPattern.test(route) && !(isRead && route === ownAccountRoute)
  if (isRefused || (me.key.access === 'read' && !isRead)) throw forbiddenError()
  return me
}
