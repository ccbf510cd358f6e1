import type { FastifyRequest } from 'fastify'
import { permissionFlags } from '#contract/allow.ts'
import type { Db } from '#core/db/db.ts'
import { forbiddenError, HttpError, unauthorizedError } from '#core/http/errors.ts'
import { authenticateRequest } from '#core/http/handle.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { type CurrentUser, findUserByToken } from '#domains/access/server/current-user.ts'
import type { AppContext } from '#domains/app-context.ts'

/** Per key. */
const callsPerMinute = 120
const countCall = createRateLimit(callsPerMinute, `At most ${callsPerMinute} calls a minute`)

/** Accounts, rights and keys are off limits to API keys, whatever their pages. */
const peopleOnlyPattern = /^\/api\/(keys(\/|$)|user|admin\/|leads-handlers(\/|$)|access\/|lead\/:id\/readers$)/
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
  const route = request.routeOptions.url ?? ''
  const isExport = route.endsWith('/export')
  if (isExport && !me.key.export) throw new HttpError(403, 'This API key may not export')
  const isRead = isExport || request.method === 'GET' || request.method === 'HEAD'
  const isRefused = peopleOnlyPattern.test(route) && !(isRead && route === ownAccountRoute)
  if (isRefused || (me.key.access === 'read' && !isRead)) throw forbiddenError()
  return me
}

/** Returns whether the caller of a request still has every page and campaign with which it began; more does not matter. */
export async function keepsRights(db: Db, request: FastifyRequest): Promise<boolean> {
  const began = request.me as CurrentUser | null // authenticateCall returned it
  if (!began) return true
  const now = await authenticateRequest((token) => findUserByToken(db, token), request, true)
  if (!now || now.role !== began.role || (now.mustEnrol && !began.mustEnrol)) return false
  const keepsPages = permissionFlags.every((flag) => now.permissions[flag] || !began.permissions[flag])
  const { campaignIds } = now
  return keepsPages && (campaignIds === null || (began.campaignIds?.every((id) => campaignIds.includes(id)) ?? false))
}
