import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Context } from 'oidc-provider'
import { stopListening } from '#integrations/fakes/local-server.ts'

export const oidcClient = { id: 'leadline', secret: 'the-secret-of-the-client' }

type Claims = Record<string, unknown>
type Tampering = (claims: Claims) => { header?: Claims; claims?: Claims; key?: KeyObject; signature?: '' }

const createKey = (kid: string) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid, privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } }
}
export type SigningKey = ReturnType<typeof createKey>
export { createKey }

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Claims

/**
 * Starts a third-party OpenID provider, over HTTP on this machine. Everyone who signs in is the account of `person` and
 * consents. Its id tokens and keys can be replaced in the response, because the provider would not create wrong ones.
 */
export async function startOpenIdProvider(redirectUri: string) {
  const key = createKey('first')
  const state = {
    /** The claims of the person who signs in. */
    person: { email: 'nobody@a.example', email_verified: true } as Claims,
    /** Who signs in: the `sub` of its tokens. Null: each email is someone else. */
    subject: null as string | null,
    /** Replaces its id tokens. */
    tamper: null as Tampering | null,
    /** The keys that it lists. */
    keys: [key],
    keyRequests: 0,
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const getSubject = () => state.subject ?? `holder of ${state.person.email ?? randomUUID()}`.toLowerCase()

  const provider = new Provider(issuer, {
    clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [redirectUri] }],
    jwks: { keys: [key.jwk] },
    cookies: { keys: ['a key for cookies'] },
    claims: { email: ['email', 'email_verified', 'job'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...state.person }) }),
    loadExistingGrant: async ({ oidc: { session, client } }: Context) => {
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (request.url?.startsWith('/interaction/'))
      return provider.interactionFinished(request, response, { login: { accountId: getSubject() } })
    if (request.url === '/jwks') {
      state.keyRequests += 1
      const keys = state.keys.map(({ jwk: { kty, n, e, kid, use, alg } }) => ({ kty, n, e, kid, use, alg }))
      return response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }))
    }
    if (request.url === '/token' && state.tamper) replaceIdToken(response, state.tamper, key.privateKey)
    callback(request, response)
  }

  return Object.assign(state, {
    issuer,
    key,
    close: () => stopListening(server),
    /** Signs in as a browser does; returns the query of the redirect. */
    async follow(address: string): Promise<{ code: string; state: string; iss: string }> {
      const cookies = new Map<string, string>()
      let next = new URL(address)
      while (!next.href.startsWith(redirectUri)) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const step = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const set of step.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        const location = step.headers.get('location')
        if (!location) throw new Error(`The provider answered ${step.status}: ${await step.text()}`)
        next = new URL(location, next)
      }
      const { code = '', state: sent = '', iss = '' } = Object.fromEntries(next.searchParams)
      return { code, state: sent, iss }
    },
  })
}

/** Re-signs the id token of a token response with changed claims. */
function replaceIdToken(response: ServerResponse, tamper: Tampering, ownKey: KeyObject) {
  const end = response.end.bind(response)
  response.end = ((body: unknown) => {
    const answer = JSON.parse(String(body)) as { id_token: string }
    const [head, payload] = answer.id_token.split('.')
    const changed = tamper(decode(payload))
    const signed = `${encode({ ...decode(head), ...changed.header })}.${encode(changed.claims ?? decode(payload))}`
    const made = () => sign('sha256', Buffer.from(signed), changed.key ?? ownKey).toString('base64url')
    const text = JSON.stringify({ ...answer, id_token: `${signed}.${changed.signature ?? made()}` })
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }) as typeof response.end // the provider ends the response with one string
}
