import { createHash, randomUUID } from 'node:crypto'
import type { Answer, Asked, Said } from './reply.ts'
import type { GoogleWorld, Person } from './state.ts'

/** Signing in, tokens and their end; null for what is none of that. */
export function answerOAuth(world: GoogleWorld, asked: Asked): Said | null {
  switch (`${asked.method} ${asked.url.pathname}`) {
    case 'GET /o/oauth2/v2/auth':
      return ask(world, asked.url)
    case 'GET /o/consent':
      return decide(world, asked.url)
    case 'POST /token':
      return give(world, new URLSearchParams(asked.body))
    case 'POST /revoke':
      return revoke(world, new URLSearchParams(asked.body).get('token') ?? '')
    default:
      return null
  }
}

/** The page where somebody chooses an account and says yes or no. */
function ask(world: GoogleWorld, { searchParams }: URL): Said {
  const wrong = wrongRequest(world, searchParams)
  if (wrong) return { status: 400, html: frame(`<h1>Error 400: invalid_request</h1><p>${wrong}</p>`) }
  const way = (answer: string) => `/o/consent?${new URLSearchParams([...searchParams, ['answer', answer]])}`
  const people = world.people.map(
    ({ subject, email }) => `<li><a href="${escaped(way(subject))}">Continue as ${escaped(email)}</a></li>`,
  )
  return {
    status: 200,
    html: frame(`<h1>Choose an account</h1><p>Leadline wants to see and manage your Business Profiles.</p>
      <ul>${people.join('')}</ul><p><a href="${escaped(way(''))}">Cancel</a></p>`),
  }
}

function wrongRequest({ clientId }: GoogleWorld, query: URLSearchParams): string | null {
  if (query.get('client_id') !== clientId) return 'The OAuth client was not found.'
  if (query.get('response_type') !== 'code') return 'Only response_type=code is known.'
  if (!/\/gmb-manager$/.test(query.get('redirect_uri') ?? '')) return 'redirect_uri_mismatch'
  if (query.get('code_challenge_method') !== 'S256' || !query.get('code_challenge')) return 'PKCE is missing.'
  if (!query.get('scope')?.includes('https://www.googleapis.com/auth/business.manage')) return 'The scope is missing.'
  return null
}

function decide(world: GoogleWorld, { searchParams: query }: URL): Said {
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

const refused = (error: string, error_description: string, status = 400): Answer => ({
  status,
  body: { error, error_description },
})

function give(world: GoogleWorld, form: URLSearchParams): Answer {
  if (form.get('client_id') !== world.clientId || form.get('client_secret') !== world.clientSecret)
    return refused('invalid_client', 'The provided client secret is invalid.', 401)
  if (form.get('grant_type') === 'refresh_token') {
    const person = world.refreshTokens.get(form.get('refresh_token') ?? '')
    return person
      ? { status: 200, body: access(world, person) }
      : refused('invalid_grant', 'Token has been expired or revoked.')
  }
  const code = form.get('code') ?? ''
  const given = world.codes.get(code)
  world.codes.delete(code) // once, whatever comes of it
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (!given || given.challenge !== challenge) return refused('invalid_grant', 'Malformed auth code.')
  if (given.redirect !== form.get('redirect_uri')) return refused('redirect_uri_mismatch', 'Bad Request')
  const { person, scope } = given
  const refresh_token = `1//${randomUUID()}`
  world.refreshTokens.set(refresh_token, person)
  const claims = Buffer.from(JSON.stringify({ sub: person.subject, email: person.email })).toString('base64url')
  const body = { ...access(world, person), scope, refresh_token, id_token: `e30.${claims}.signature` }
  return { status: 200, body }
}

function access(world: GoogleWorld, person: Person) {
  const access_token = `ya29.${randomUUID()}`
  world.accessTokens.set(access_token, { person, until: Date.now() + world.lasts * 1000 })
  return { access_token, expires_in: world.lasts, token_type: 'Bearer' }
}

/** One token's end is the end of all that came of the same yes. */
function revoke(world: GoogleWorld, token: string): Answer {
  const person = world.refreshTokens.get(token)
  if (!person) return refused('invalid_token', 'Token expired or revoked')
  for (const [other, of] of world.refreshTokens) if (of === person) world.refreshTokens.delete(other)
  for (const [other, { person: of }] of world.accessTokens) if (of === person) world.accessTokens.delete(other)
  return { status: 200, body: {} }
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const frame = (content: string) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Sign in (stand-in)</title><body>${content}</body></html>`
