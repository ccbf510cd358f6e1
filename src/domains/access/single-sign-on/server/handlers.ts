import { randomUUID } from 'node:crypto'
import { HttpError, notFoundError } from '#core/http/errors.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { createOncePer } from '#core/once-per.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import {
  type OpenIdClient,
  OpenIdProvider,
  OpenIdRefusedError,
  OpenIdUnavailableError,
} from '#integrations/openid/openid.ts'
import { singleSignOnContract } from '../contract.ts'
import { startSessionByIdentity } from './start-session.ts'
import { beginState, browserCookie, takeState } from './state.ts'

const unavailableMessage = 'The sign-in service does not respond, please try again in a moment'
const refusedAnswer = { error: 'The sign-in service did not confirm who you are, please try again' }
const endedAnswer = {
  error: 'This sign-in was not started in this browser, or more than ten minutes ago. Please try again',
}

const rejectFlood = createRateLimit(120, 'Please try again in a minute')

export const singleSignOnHandlers = implementContract(singleSignOnContract, {
  begin: async ({ context, request, reply }) => {
    const provider = requireProvider(context)
    await rejectFlood(context, request.ip)
    // Kept while a sign-in of another tab may still need it.
    const browser = browserCookie.read(request.headers.cookie) ?? randomUUID()
    const begun = await beginState(context, browser)
    const auth_url = await orUnavailable(context, provider.buildAuthUrl(begun))
    reply.header('set-cookie', browserCookie.write(browser, context.settings))
    return { auth_url }
  },

  finish: async ({ context, body, request }) => {
    const provider = requireProvider(context)
    await rejectFlood(context, request.ip)
    const browser = browserCookie.read(request.headers.cookie)
    const begun = browser && (await takeState(context, body.state, browser))
    if (!begun) return endedAnswer
    try {
      const identity = await orUnavailable(context, provider.redeemCode(body, begun))
      const answer = await startSessionByIdentity(context, identity, {
        address: request.ip,
        userAgent: request.headers['user-agent'],
      })
      const { userId, ...outcome } = answer
      context.log.info(
        { id: request.id, user: userId, address: request.ip, outcome: 'token' in outcome ? 'done' : 'refused' },
        'single sign-on',
      )
      return outcome
    } catch (error) {
      if (!(error instanceof OpenIdRefusedError)) throw error
      context.log.warn({ id: request.id, address: request.ip, reason: error.message }, 'single sign-on refused')
      return refusedAnswer
    }
  },
})

/** One per process, because it caches the provider's keys. */
const getProvider = createOncePer((_context: AppContext, client: OpenIdClient) => new OpenIdProvider(client))

function requireProvider(context: AppContext): OpenIdProvider {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLE_CLAIM, PUBLIC_URL } = context.settings
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) throw notFoundError()
  return getProvider(context, {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    redirectUri: `${PUBLIC_URL}/login/oidc`,
    roleClaim: OIDC_ROLE_CLAIM,
  })
}

async function orUnavailable<Answer>({ log }: AppContext, work: Promise<Answer>): Promise<Answer> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof OpenIdUnavailableError)) throw error
    log.warn({ reason: error.message }, 'the OpenID provider does not respond')
    throw new HttpError(503, unavailableMessage)
  }
}
