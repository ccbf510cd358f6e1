import { createServer } from 'node:http'
import { startListening, stopListening } from './local-server.ts'

export type CPanelStandIn = {
  /** The settings CPANEL_… for this stand-in. */
  settings: { CPANEL_URL: string; CPANEL_USER: string; CPANEL_TOKEN: string; CPANEL_ROOT_DOMAIN: string }
  /** Addon domains by name, with their key. */
  domains: Map<string, string>
  redirects: Map<string, string>
  /** Whether this is an older host, whose UAPI has no AddonDomain. */
  isOld: boolean
  /** Functions that fail: with a status, with silence, or with this error message. */
  failing: Map<string, number | 'silence' | { message: string }>
  /** The functions that were called, in order. */
  calls: string[]
  /** Called before each response, so that a test can change something during the call. */
  before: (name: string) => unknown
  close(): Promise<void>
}

type CPanelReply = { data?: unknown; error?: string }

/** Starts a stand-in of a cPanel account, over real HTTP: UAPI, and API 2 for addon domains. */
export async function startCPanelStandIn(): Promise<CPanelStandIn> {
  const known: Omit<CPanelStandIn, 'settings' | 'close'> = {
    domains: new Map(),
    redirects: new Map(),
    isOld: false,
    failing: new Map(),
    calls: [],
    before: () => {},
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const query = Object.fromEntries(url.searchParams)
    if (request.headers.authorization !== 'cpanel agency:stand-in-token') return response.writeHead(401).end()
    const [, module, uapiName] = /^\/execute\/(\w+)\/(\w+)$/.exec(url.pathname) ?? []
    const name = uapiName ?? query.cpanel_jsonapi_func ?? ''
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (module === 'AddonDomain' && standIn.isOld)
      return json({
        status: 0,
        data: null,
        errors: ['Failed to load module “AddonDomain”: it does not exist.'],
        messages: null,
      })
    standIn.calls.push(`${module ? '' : 'api2 '}${name}`)
    await standIn.before(name)
    const failure = standIn.failing.get(name)
    if (failure === 'silence') return undefined
    if (typeof failure === 'number') return response.writeHead(failure).end()
    const said: CPanelReply = failure ? { error: failure.message } : callFunction(standIn, name, query)
    if (module)
      return json({
        status: said.error ? 0 : 1,
        data: said.data ?? null,
        errors: said.error ? [said.error] : null,
        messages: null,
        metadata: {},
        warnings: null,
      })
    const done = [{ result: said.error ? 0 : 1, reason: said.error ?? 'OK' }]
    return json({
      cpanelresult: {
        apiversion: 2,
        func: name,
        data: Array.isArray(said.data) ? said.data : done,
        event: { result: 1 },
      },
    })
  })
  const port = await startListening(server)
  const standIn: CPanelStandIn = Object.assign(known, {
    settings: {
      CPANEL_URL: `http://127.0.0.1:${port}`,
      CPANEL_USER: 'agency',
      CPANEL_TOKEN: 'stand-in-token',
      CPANEL_ROOT_DOMAIN: 'agency.example',
    },
    close: () => stopListening(server),
  })
  return standIn
}

function callFunction({ domains, redirects }: CPanelStandIn, name: string, query: Record<string, string>): CPanelReply {
  const { newdomain = '', subdomain = '', domain = '', redirect = '' } = query
  switch (name) {
    case 'listaddondomains':
      return {
        data: [...domains].map(([one, domainkey]) => ({
          domain: one,
          domainkey,
          rootdomain: 'agency.example',
          status: 'not redirected',
        })),
      }
    case 'addaddondomain':
      if (domains.has(newdomain)) return { error: `The domain “${newdomain}” already exists in the userdata.` }
      domains.set(newdomain, `${subdomain}_agency.example`)
      return {}
    case 'deladdondomain':
      if (domains.get(domain) !== subdomain)
        return { error: `The domain “${domain}” does not correspond to “${subdomain}”.` }
      domains.delete(domain)
      return {}
    case 'list_redirects':
      return {
        data: [...redirects].map(([one, destination]) => ({
          domain: one,
          sourceurl: '/',
          destination,
          kind: 'rewrite',
          type: 'permanent',
        })),
      }
    case 'add_redirect':
      if (redirects.has(domain)) return { error: 'This redirect already exists.' }
      redirects.set(domain, redirect)
      return {}
    case 'delete_redirect':
      redirects.delete(domain)
      return {}
    default:
      return { error: `The system could not find the function “${name}”.` }
  }
}
