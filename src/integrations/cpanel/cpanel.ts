import { z } from 'zod'
import type { OutboundClient } from '../outbound/outbound.ts'
import { parseAnswer } from '../outbound/parse-answer.ts'
import { toPlainText } from '../outbound/plain-text.ts'
import { CircuitBreaker, UpstreamStatusError } from '../outbound/upstream.ts'

type CPanelSettings = {
  CPANEL_URL?: string | undefined
  CPANEL_USER?: string | undefined
  CPANEL_TOKEN?: string | undefined
  CPANEL_ROOT_DOMAIN?: string | undefined
}

export const isCPanelConfigured = (settings: CPanelSettings) =>
  Boolean(settings.CPANEL_URL && settings.CPANEL_USER && settings.CPANEL_TOKEN && settings.CPANEL_ROOT_DOMAIN)

/** cPanel refused a call, with its own message. */
export class CPanelError extends Error {}
/** This host's cPanel is too old to have the function. */
class UnknownFunctionError extends Error {}

export type AddonDomain = { domain: string; domainkey: string }
type CPanelQuery = Record<string, string>

/**
 * Manages an account's addon domains and their redirects. UAPI has addon domains since cPanel 138; an older host has them only in
 * API 2, and reports the newer function as unknown.
 */
export class CPanelClient {
  readonly #outbound: OutboundClient
  readonly #keys: Required<{ [Key in keyof CPanelSettings]: string }>
  readonly #upstream = new CircuitBreaker('cPanel')
  #isOld = false

  /** Throws if cPanel is not configured. */
  constructor(outbound: OutboundClient, { CPANEL_URL, CPANEL_USER, CPANEL_TOKEN, CPANEL_ROOT_DOMAIN }: CPanelSettings) {
    if (!CPANEL_URL || !CPANEL_USER || !CPANEL_TOKEN || !CPANEL_ROOT_DOMAIN) throw new Error('cPanel is not connected')
    this.#outbound = outbound
    this.#keys = { CPANEL_URL, CPANEL_USER, CPANEL_TOKEN, CPANEL_ROOT_DOMAIN }
  }

  async find(domain: string): Promise<AddonDomain | null> {
    const found = parseAnswer('cPanel', z.array(addonDomainSchema), await this.#addon('listaddondomains', {}))
    return found.find((one) => one.domain.toLowerCase() === domain) ?? null
  }

  async addDomain(domain: string): Promise<AddonDomain> {
    const label = domain.replaceAll('.', '-').slice(0, 63)
    await this.#addon('addaddondomain', {
      newdomain: domain,
      subdomain: label,
      dir: `public_html/${domain}`,
      ftp_is_optional: '1',
    })
    return (await this.find(domain)) ?? { domain, domainkey: `${label}_${this.#keys.CPANEL_ROOT_DOMAIN}` }
  }

  async removeDomain({ domain, domainkey }: AddonDomain): Promise<void> {
    await this.#addon('deladdondomain', { domain, subdomain: domainkey })
  }

  /** Returns the target of the redirect of the whole domain, if there is one. */
  async redirectOf(domain: string): Promise<string | null> {
    const found = parseAnswer('cPanel', z.array(redirectSchema), await this.#uapi('Mime', 'list_redirects', {}))
    return found.find((one) => one.domain.toLowerCase() === domain && isRootSource(one.sourceurl))?.destination ?? null
  }

  async addRedirect(domain: string, url: string): Promise<void> {
    const query = { domain, redirect: url, redirect_wildcard: '1', redirect_www: '0', src: '/', type: 'permanent' }
    await this.#uapi('Mime', 'add_redirect', query)
  }

  async removeRedirect(domain: string): Promise<void> {
    await this.#uapi('Mime', 'delete_redirect', { domain, src: '/' })
  }

  async #addon(name: string, query: CPanelQuery): Promise<unknown> {
    if (this.#isOld) return this.#api2(name, query)
    try {
      return await this.#uapi('AddonDomain', name, query)
    } catch (error) {
      if (!(error instanceof UnknownFunctionError)) throw error
      this.#isOld = true
      return this.#api2(name, query)
    }
  }

  async #uapi(module: string, name: string, query: CPanelQuery): Promise<unknown> {
    const answer = parseAnswer('cPanel', uapiResponseSchema, await this.#ask(`/execute/${module}/${name}`, query))
    if (answer.status === 1) return answer.data
    const said = (answer.errors ?? []).join(' ')
    if (/failed to load module|could not find the function|unknown (module|function)/i.test(said))
      throw new UnknownFunctionError(said)
    throw this.#refusal(said)
  }

  async #api2(name: string, query: CPanelQuery): Promise<unknown> {
    const { cpanelresult } = parseAnswer(
      'cPanel',
      api2ResponseSchema,
      await this.#ask('/json-api/cpanel', {
        cpanel_jsonapi_user: this.#keys.CPANEL_USER,
        cpanel_jsonapi_apiversion: '2',
        cpanel_jsonapi_module: 'AddonDomain',
        cpanel_jsonapi_func: name,
        ...query,
      }),
    )
    const [first] = cpanelresult.data
    if (cpanelresult.error) throw this.#refusal(cpanelresult.error)
    if (name !== 'listaddondomains' && Number(first?.result) !== 1) throw this.#refusal(String(first?.reason ?? ''))
    return cpanelresult.data
  }

  /** Sends a call, with retries. Callers make repeated calls safe: they add only what is missing and remove only what exists. */
  #ask(path: string, query: CPanelQuery): Promise<unknown> {
    const { CPANEL_URL, CPANEL_USER, CPANEL_TOKEN } = this.#keys
    const url = new URL(path, CPANEL_URL)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return this.#upstream.ask(async () => {
      const response = await this.#outbound.request(url.href, {
        configured: url.origin,
        redirects: 0, // the token must go nowhere else
        milliseconds: 30_000,
        headers: { authorization: `cpanel ${CPANEL_USER}:${CPANEL_TOKEN}`, accept: 'application/json' },
      })
      if (response.status === 200) return response.json()
      response.close()
      if (response.status === 401 || response.status === 403)
        throw new CPanelError(`cPanel refuses the token (${response.status})`)
      throw new UpstreamStatusError('cPanel', response.status, response.headers['retry-after'])
    })
  }

  /** Returns an error with cPanel's message, without the operator's secrets. */
  #refusal(said: string): CPanelError {
    const secrets = [this.#keys.CPANEL_TOKEN, new URL(this.#keys.CPANEL_URL).hostname, this.#keys.CPANEL_USER]
    const masked = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), said)
    return new CPanelError(toPlainText(masked, 300) ?? 'cPanel refused without a reason')
  }
}

const isRootSource = (source: string | undefined) => source === undefined || /^(\/?|https?:\/\/[^/]+\/?)$/.test(source)
const addonDomainSchema = z.looseObject({ domain: z.string(), domainkey: z.string() })
const redirectSchema = z.looseObject({
  domain: z.string(),
  destination: z.string(),
  sourceurl: z.string().optional().catch(undefined),
})
const uapiResponseSchema = z.looseObject({
  status: z.number(),
  data: z.unknown().optional(),
  errors: z.array(z.string()).nullish(),
})
const api2ResponseSchema = z.looseObject({
  cpanelresult: z.looseObject({
    data: z.array(z.looseObject({ result: z.unknown().optional(), reason: z.unknown().optional() })).catch([]),
    error: z.string().nullish(),
  }),
})
