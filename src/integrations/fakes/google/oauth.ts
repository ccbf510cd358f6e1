import { createHash, randomUUID } from 'node:crypto'
import { escapeHtml } from '../escape-html.ts'
import type { StandInReply, StandInRequest, StandInResponse } from './reply.ts'
import type { GoogleStandInState, GoogleUser } from './state.ts'

/** Handles sign-in and the issue and revocation of tokens; null for other requests. */
export function handleOAuthRequest(world: GoogleStandInState, request: StandInRequest): StandInReply | null {
  switch (`${request.method} ${request.url.pathname}`) {
    case 'GET /o/oauth2/v2/auth':
      return showConsentPage(world, request.url)
    case 'GET /o/consent':
      return redirectWithCode(world, request.url)
    case 'POST /token':
      return issueTokens(world, new URLSearchParams(request.body))
    case 'POST /revoke':
      return revokeTokens(world, new URLSearchParams(request.body).get('token') ?? '')
    default:
      return null
  }
}

/** Shows the page where the user chooses an account and gives or refuses consent. */
function showConsentPage(world: GoogleStandInState, { searchParams }: URL): StandInReply {
  const wrong = findRequestError(world, searchParams)
  if (wrong) return { status: 400, html: renderPage(`<h1>Error 400: invalid_request</h1><p>${wrong}</p>`) }
  const way = (answer: string) => `/o/consent?${new URLSearchParams([...searchParams, ['answer', answer]])}`
  const people = world.people.map(
    ({ subject, email }) => `<li><a href="${escapeHtml(way(subject))}">Continue as ${escapeHtml(email)}</a></li>`,
  )
  return {
    status: 200,
    html: renderPage(`<h1>Choose an account</h1><p>Leadline wants to see and manage your Business Profiles.</p>
      <ul>${people.join('')}</ul><p><a href="${escapeHtml(way(''))}">Cancel</a></p>`),
  }
}

function findRequestError({ clientId }: GoogleStandInState, query: URLSearchParams): string | null {
  if (query.get('client_id') !== clientId) return 'The OAuth client was not found.'
  if (query.get('response_type') !== 'code') return 'Only response_type=code is known.'
  if (!/\/gmb-manager$/.test(query.get('redirect_uri') ?? '')) return 'redirect_uri_mismatch'
  if (query.get('code_challenge_method') !== 'S256' || !query.get('code_challenge')) return 'PKCE is missing.'
  if (!query.get('scope')?.includes('https://www.googleapis.com/auth/business.manage')) return 'The scope is missing.'
  return null
}

function redirectWithCode(world: GoogleStandInState, { searchParams: query }: URL): StandInReply {
  const back = new URL(query.get('redirect_uri') ?? 'http://127.0.0.1/')
  back.searchParams.set('state', query.get('state') ?? '')
  const person = world.people.find(({ subject }) => subject === query.get('answer'))
  if (person) {
    const code = `4/${randomUUID()}`
    const scope = query.get('scope') ?? ''
    world.codes.set(code, {
      person,
      redirect: query.get('redirect_uri') ?? '',
      challenge: query.get('code_challenge') ?? '',
      scope,
    })
    back.searchParams.set('code', code)
    back.searchParams.set('scope', scope)
  } else back.searchParams.set('error', 'access_denied')
  return { status: 302, to: back.href }
}

const createOAuthError = (error: string, error_description: string, status = 400): StandInResponse => ({
  status,
  body: { error, error_description },
})

function issueTokens(world: GoogleStandInState, form: URLSearchParams): StandInResponse {
  if (form.get('client_id') !== world.clientId || form.get('client_secret') !== world.clientSecret)
    return createOAuthError('invalid_client', 'The provided client secret is invalid.', 401)
  if (form.get('grant_type') === 'refresh_token') {
    const token = form.get('refresh_token') ?? ''
    if (world.foreignTokens.has(token)) return createOAuthError('unauthorized_client', 'Unauthorized', 401)
    const person = world.refreshTokens.get(token)
    return person
      ? { status: 200, body: createAccessToken(world, person) }
      : createOAuthError('invalid_grant', 'Token has been expired or revoked.')
  }
  const code = form.get('code') ?? ''
  const given = world.codes.get(code)
  world.codes.delete(code) // a code works only once, even if the exchange fails
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (!given || given.challenge !== challenge) return createOAuthError('invalid_grant', 'Malformed auth code.')
  if (given.redirect !== form.get('redirect_uri')) return createOAuthError('redirect_uri_mismatch', 'Bad Request')
  const { person, scope } = given
  const refresh_token = `1//${randomUUID()}`
  world.refreshTokens.set(refresh_token, person)
  const claims = Buffer.from(JSON.stringify({ sub: person.subject, email: person.email })).toString('base64url')
  const body = { ...createAccessToken(world, person), scope, refresh_token, id_token: `e30.${claims}.signature` }
  return { status: 200, body }
}

function createAccessToken(world: GoogleStandInState, person: GoogleUser) {
  const access_token = `ya29.${randomUUID()}`
  world.accessTokens.set(access_token, { person, until: Date.now() + world.lasts * 1000 })
  return { access_token, expires_in: world.lasts, token_type: 'Bearer' }
}

/** Revokes all tokens of the same person. */
function revokeTokens(world: GoogleStandInState, token: string): StandInResponse {
  const person = world.refreshTokens.get(token)
  if (!person) return createOAuthError('invalid_token', 'Token expired or revoked')
  for (const [other, of] of world.refreshTokens) if (of === person) world.refreshTokens.delete(other)
  for (const [other, { person: of }] of world.accessTokens) if (of === person) world.accessTokens.delete(other)
  return { status: 200, body: {} }
}

const renderPage = (content: string) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Sign in (stand-in)</title><body>${content}</body></html>`
