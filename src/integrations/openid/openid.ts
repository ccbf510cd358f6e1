import * as openid from 'openid-client'

export type OpenIdClient = {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** The claim to return as `role`. */
  roleClaim?: string | undefined
}
/** Binds a response to its request. */
type OpenIdRequest = { state: string; nonce: string; verifier: string }
type OpenIdAnswer = { code: string; state: string; iss?: string | undefined }
/** `issuer` and `subject` are who it is for good; the email may go to someone else. */
export type OpenIdIdentity = { issuer: string; subject: string; email: string; isVerified: boolean; role: unknown }

/** The provider does not respond. */
export class OpenIdUnavailableError extends Error {}
/** The provider refuses, or its response is invalid; the message is for the log. */
export class OpenIdRefusedError extends Error {}

const timeoutSeconds = 10

/** Sign-in with an OpenID provider: code flow with PKCE, state and nonce; signatures are always verified. */
export class OpenIdProvider {
  readonly #client: OpenIdClient
  readonly #keys = new KeyList()

  constructor(client: OpenIdClient) {
    this.#client = client
  }

  /** Returns the address at which the browser signs in. */
  async buildAuthUrl({ state, nonce, verifier }: OpenIdRequest): Promise<string> {
    const config = await this.#discover(new SignInTraffic(this.#keys).fetch)
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: this.#client.redirectUri,
      scope: 'openid email profile',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    return url.href
  }

  /** Exchanges the code for the user's identity. */
  async redeemCode({ code, state, iss }: OpenIdAnswer, { nonce, verifier }: OpenIdRequest): Promise<OpenIdIdentity> {
    const traffic = new SignInTraffic(this.#keys)
    const config = await this.#discover(traffic.fetch)
    traffic.watch(config.serverMetadata())
    const address = new URL(this.#client.redirectUri)
    address.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString()
    try {
      const tokens = await openid.authorizationCodeGrant(config, address, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
      })
      return await this.#readIdentity(config, tokens)
    } catch (error) {
      if (error instanceof OpenIdRefusedError) throw error
      if (traffic.isBroken) throw new OpenIdUnavailableError(describeError(error))
      throw new OpenIdRefusedError(describeError(error))
    }
  }

  async #readIdentity(
    config: openid.Configuration,
    tokens: Awaited<ReturnType<typeof openid.authorizationCodeGrant>>,
  ): Promise<OpenIdIdentity> {
    const { roleClaim } = this.#client
    const claims = tokens.claims()
    if (!claims) throw new OpenIdRefusedError('There is no id token')
    const isRoleMissing = roleClaim !== undefined && claims[roleClaim] === undefined
    const asksMore = claims.email === undefined || (isRoleMissing && config.serverMetadata().userinfo_endpoint)
    const more: Record<string, unknown> = asksMore
      ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
      : {}
    const { email, email_verified } = claims.email === undefined ? more : claims
    if (typeof email !== 'string') throw new OpenIdRefusedError('There is no email')
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email,
      isVerified: email_verified === true,
      role: roleClaim === undefined ? undefined : (claims[roleClaim] ?? more[roleClaim]),
    }
  }

  async #discover(fetchIt: openid.CustomFetch): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#client
    const server = new URL(issuer)
    try {
      return await openid.discovery(server, clientId, undefined, authenticateClient(clientSecret), {
        // The settings allow plain http only on this machine.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(server.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
        timeout: timeoutSeconds,
        [openid.customFetch]: fetchIt,
      })
    } catch (error) {
      throw new OpenIdUnavailableError(describeError(error))
    }
  }
}

/** Sends the client secret in the body if the provider supports that, else in the header, which every provider must support. */
function authenticateClient(secret: string): openid.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)]
  return (server, ...rest) =>
    server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      ? inBody(server, ...rest)
      : inHeader(server, ...rest)
}

/** The requests of one sign-in; all sign-ins share the list of keys. */
class SignInTraffic {
  /** Whether a request failed or got a 5xx. */
  isBroken = false
  #keyId: unknown
  #addresses: { token?: string | undefined; keys?: string | undefined } = {}
  readonly #keys: KeyList

  constructor(keys: KeyList) {
    this.#keys = keys
  }

  watch({ token_endpoint, jwks_uri }: openid.ServerMetadata) {
    const normalize = (address: string | undefined) => address && new URL(address).href
    this.#addresses = { token: normalize(token_endpoint), keys: normalize(jwks_uri) }
  }

  readonly fetch: openid.CustomFetch = async (url, options) => {
    if (url === this.#addresses.keys) return this.#keys.read(this.#keyId, () => this.#send(url, options))
    const response = await this.#send(url, options)
    if (url === this.#addresses.token) this.#keyId = await readKeyId(response.clone())
    return response
  }

  async #send(url: string, options: openid.CustomFetchOptions): Promise<Response> {
    try {
      const response = await fetch(url, options as RequestInit) // the library narrows what it sends
      if (response.status >= 500) this.isBroken = true
      return response
    } catch (error) {
      this.isBroken = true
      throw error
    }
  }
}

/** Returns the key id of a token response's id token, unverified: it only selects the list of keys. */
async function readKeyId(response: Response): Promise<unknown> {
  try {
    const { id_token } = (await response.json()) as { id_token?: unknown } // errors are caught below
    const [head = ''] = String(id_token).split('.')
    return (JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid?: unknown }).kid // as above
  } catch {
    return undefined
  }
}

/** Describes an error without repeating what was sent. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return `${error.message}${code}`
}

type KeySet = { keys: { kid?: unknown }[] }

/** The minimum interval, in milliseconds, between two lookups of unknown keys. */
const lookupIntervalMs = 60_000

/**
 * The provider's keys. For a known key the list is fetched at each sign-in, so that a key that is no longer listed is refused; for
 * unknown ones it is fetched at most once a minute, whatever keys tokens name.
 */
class KeyList {
  #last: KeySet | null = null
  #lookedUpAt = Number.NEGATIVE_INFINITY

  /** Returns the list in which to find the key. */
  async read(kid: unknown, fetchList: () => Promise<Response>): Promise<Response> {
    const isListed = () => this.#last?.keys.some((key) => key.kid === kid) ?? false
    const isNew = this.#last !== null && !isListed()
    if (isNew && Date.now() - this.#lookedUpAt < lookupIntervalMs) return Response.json(this.#last)
    if (isNew) this.#lookedUpAt = Date.now()
    const response = await fetchList()
    if (!response.ok) return response
    const list = (await response.clone().json()) as KeySet // validated by the library
    this.#last = Array.isArray(list?.keys) ? list : { keys: [] }
    if (!isListed()) this.#lookedUpAt = Date.now()
    return response
  }
}
