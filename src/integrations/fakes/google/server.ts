import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { startListening, stopListening } from '../local-server.ts'
import { handleBusinessRequest } from './business.ts'
import { handleOAuthRequest } from './oauth.ts'
import { createRpcError, type StandInReply, type StandInResponse } from './reply.ts'
import { createGoogleState, type GoogleStandInState } from './state.ts'

export type GoogleStandIn = GoogleStandInState & {
  url: string
  /** The settings GOOGLE_… for this stand-in. */
  settings: Record<
    | 'GOOGLE_CLIENT_ID'
    | 'GOOGLE_CLIENT_SECRET'
    | 'GOOGLE_AUTH_URL'
    | 'GOOGLE_TOKEN_URL'
    | 'GOOGLE_REVOKE_URL'
    | 'GOOGLE_ACCOUNTS_URL'
    | 'GOOGLE_BUSINESS_URL'
    | 'GOOGLE_VERIFICATIONS_URL',
    string
  >
  close(): Promise<void>
}

/** Starts a stand-in of Google's sign-in and Business Profile APIs, over real HTTP. Callers set its data and its failures. */
export async function startGoogleStandIn(): Promise<GoogleStandIn> {
  const world = createGoogleState()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const received = { method: request.method ?? 'GET', url, headers: request.headers, body: await readBody(request) }
    world.requests.push(`${received.method} ${url.pathname}${url.search}`)
    await world.before(received)
    const next = world.failing.find(({ path }) => url.pathname.includes(path))
    if (next) {
      next.times -= 1
      if (next.times <= 0) world.failing.splice(world.failing.indexOf(next), 1)
      if (next.status === 'silence') return
      if (next.status === 'page')
        return sendReply(response, { status: 200, html: '<title>Sign in to this network</title>' })
      return sendReply(response, createFailure(next.status, next.retryAfter))
    }
    sendReply(response, handleOAuthRequest(world, received) ?? handleBusinessRequest(world, received))
  })
  const url = `http://127.0.0.1:${await startListening(server)}`
  return Object.assign(world, {
    url,
    settings: {
      GOOGLE_CLIENT_ID: world.clientId,
      GOOGLE_CLIENT_SECRET: world.clientSecret,
      GOOGLE_AUTH_URL: `${url}/o/oauth2/v2/auth`,
      GOOGLE_TOKEN_URL: `${url}/token`,
      GOOGLE_REVOKE_URL: `${url}/revoke`,
      GOOGLE_ACCOUNTS_URL: url,
      GOOGLE_BUSINESS_URL: url,
      GOOGLE_VERIFICATIONS_URL: url,
    },
    close: () => stopListening(server),
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

const rpcStatusNames: Record<number, string> = { 429: 'RESOURCE_EXHAUSTED', 500: 'INTERNAL', 503: 'UNAVAILABLE' }
const createFailure = (status: number, retryAfter?: number): StandInResponse => ({
  ...createRpcError(
    status,
    rpcStatusNames[status] ?? 'UNKNOWN',
    'Quota exceeded or backend away, as a test wanted it.',
  ),
  headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
})

function sendReply(response: ServerResponse, { status, body, headers, html, to }: StandInReply) {
  if (to) return response.writeHead(302, { location: to }).end()
  if (html) return response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  return response.end(body === undefined ? '' : JSON.stringify(body))
}
