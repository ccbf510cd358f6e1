import type { OutboundClient } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-problem.ts'
import { parseJson } from '../outbound/response.ts'
import { CircuitBreaker } from '../outbound/upstream.ts'
import { toGoogleError } from './errors.ts'

export type GoogleSettings = {
  PUBLIC_URL: string
  GOOGLE_AUTH_URL: string
  GOOGLE_TOKEN_URL: string
  GOOGLE_REVOKE_URL: string
  GOOGLE_ACCOUNTS_URL: string
  GOOGLE_BUSINESS_URL: string
  GOOGLE_VERIFICATIONS_URL: string
}

/** The OAuth client as which the agency is known to Google. */
export type OAuthClient = { client_id: string; client_secret: string }

const serviceUrlSettings = {
  accounts: 'GOOGLE_ACCOUNTS_URL',
  business: 'GOOGLE_BUSINESS_URL',
  verifications: 'GOOGLE_VERIFICATIONS_URL',
  token: 'GOOGLE_TOKEN_URL',
  revoke: 'GOOGLE_REVOKE_URL',
} as const
type GoogleService = 'accounts' | 'business' | 'verifications'

type GoogleRequest = { query?: Record<string, string | undefined>; method?: 'GET' | 'PATCH'; body?: unknown }
/** Calls one of Google's services with a user's access; the path is below the API version, such as `locations/1`. */
export type GoogleFetch = (service: GoogleService, path: string, question?: GoogleRequest) => Promise<unknown>

/**
 * Calls Google's services over HTTP, at the addresses in the settings. Each service has its own retries and circuit breaker, so that a
 * slow one does not slow down the others.
 */
export class GoogleClient {
  readonly settings: GoogleSettings
  readonly #outbound: OutboundClient
  readonly #upstreams = new Map<keyof typeof serviceUrlSettings, CircuitBreaker>()

  constructor(outbound: OutboundClient, settings: GoogleSettings) {
    this.#outbound = outbound
    this.settings = settings
  }

  /** Throws `GoogleApiError` if Google refuses. */
  ask(access: string, service: GoogleService, path: string, { query = {}, method = 'GET', body }: GoogleRequest = {}) {
    const base = this.settings[serviceUrlSettings[service]].replace(/\/(v1\/?)?$/, '')
    const url = new URL(`${base}/v1/${path}`)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    return this.#send(service, url, {
      method,
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** Posts a form to an OAuth endpoint. */
  post(service: 'token' | 'revoke', form: Record<string, string>): Promise<unknown> {
    return this.#send(service, new URL(this.settings[serviceUrlSettings[service]]), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
  }

  #send(service: keyof typeof serviceUrlSettings, url: URL, sent: OutgoingRequest): Promise<unknown> {
    return this.#upstream(service).ask(async () => {
      const response = await this.#outbound.request(url.href, {
        configured: url.origin,
        redirects: 0, // the token must go nowhere else
        milliseconds: 20_000,
        mostBytes: 10_000_000,
        ...sent,
        headers: { accept: 'application/json', ...sent.headers },
      })
      const body = parseJson(await response.text())
      if (response.status < 200 || response.status >= 300)
        throw toGoogleError(response.status, body, response.headers['retry-after'])
      // Not an empty list: a login page of the network, or an answer that was cut off. Only a revocation may be answered with nothing.
      if (body === undefined && service !== 'revoke') throw new OutboundError('broken', 'The response is not JSON')
      return body
    })
  }

  #upstream(service: keyof typeof serviceUrlSettings): CircuitBreaker {
    const known = this.#upstreams.get(service) ?? new CircuitBreaker('Google')
    this.#upstreams.set(service, known)
    return known
  }
}

type OutgoingRequest = { method: 'GET' | 'POST' | 'PATCH'; headers: Record<string, string>; body?: string }
