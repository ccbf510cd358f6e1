import type { Settings } from '#core/settings/settings.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Heard } from '../outbound/response.ts'
import { Upstream } from '../outbound/upstream.ts'
import { problemOf } from './errors.ts'

export type GoogleSettings = Pick<
  Settings,
  | 'PUBLIC_URL'
  | 'GOOGLE_CLIENT_ID'
  | 'GOOGLE_CLIENT_SECRET'
  | 'GOOGLE_AUTH_URL'
  | 'GOOGLE_TOKEN_URL'
  | 'GOOGLE_REVOKE_URL'
  | 'GOOGLE_ACCOUNTS_URL'
  | 'GOOGLE_BUSINESS_URL'
  | 'GOOGLE_VERIFICATIONS_URL'
>

/** The settings that are still to be made before anything can be linked. */
export const missingSettings = (settings: GoogleSettings) =>
  (['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const).filter((name) => !settings[name])

const services = {
  accounts: 'GOOGLE_ACCOUNTS_URL',
  business: 'GOOGLE_BUSINESS_URL',
  verifications: 'GOOGLE_VERIFICATIONS_URL',
  token: 'GOOGLE_TOKEN_URL',
  revoke: 'GOOGLE_REVOKE_URL',
} as const
export type Service = 'accounts' | 'business' | 'verifications'

export type Question = { query?: Record<string, string | undefined>; method?: 'GET' | 'PATCH'; body?: unknown }
/** Asks one of Google's services with somebody's access; `locations/1` is the path below its version. */
export type Asking = (service: Service, path: string, question?: Question) => Promise<unknown>

/**
 * Google's services over HTTP: one address each, out of the settings. Each is asked again while it is busy, and left in
 * peace when it stays so, for itself: a slow one slows no other.
 */
export class Google {
  readonly settings: GoogleSettings
  readonly #outbound: Outbound
  readonly #upstreams = new Map<keyof typeof services, Upstream>()

  constructor(outbound: Outbound, settings: GoogleSettings) {
    this.#outbound = outbound
    this.settings = settings
  }

  /** Throws `GoogleRefusal` for a no. */
  ask(access: string, service: Service, path: string, { query = {}, method = 'GET', body }: Question = {}) {
    const base = this.settings[services[service]].replace(/\/(v1\/?)?$/, '')
    const url = new URL(`${base}/v1/${path}`)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    return this.#send(service, url, {
      method,
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** A form, as OAuth has it. */
  post(service: 'token' | 'revoke', form: Record<string, string>): Promise<unknown> {
    return this.#send(service, new URL(this.settings[services[service]]), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
  }

  #send(service: keyof typeof services, url: URL, sent: Sent): Promise<unknown> {
    return this.#upstream(service).ask(async () => {
      const heard = await this.#outbound.request(url.href, {
        configured: url.origin,
        redirects: 0, // the access goes nowhere else
        milliseconds: 20_000,
        mostBytes: 10_000_000,
        ...sent,
        headers: { accept: 'application/json', ...sent.headers },
      })
      const body = await read(heard)
      if (heard.status >= 200 && heard.status < 300) return body
      throw problemOf(heard.status, body, heard.headers['retry-after'])
    })
  }

  #upstream(service: keyof typeof services): Upstream {
    const known = this.#upstreams.get(service) ?? new Upstream('Google')
    this.#upstreams.set(service, known)
    return known
  }
}

type Sent = { method: 'GET' | 'POST' | 'PATCH'; headers: Record<string, string>; body?: string }

/** A no need not be JSON; a yes may be empty. */
async function read(heard: Heard): Promise<unknown> {
  const text = await heard.text()
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
