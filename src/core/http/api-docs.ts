import type { FastifyInstance } from 'fastify'
import { adminOnly } from '#contract/allow.ts'
import { isFromLoopback } from '../health/health.ts'
import { forbiddenError } from './errors.ts'
import { type AuthenticateRequest, authenticateRequest, type ImplementedEndpoint } from './handle.ts'
import { createOpenApi } from './openapi.ts'

/** The API's documentation, generated from the contract: for machines at openapi.json, for people at docs. */
type DocsOptions = {
  endpoints: readonly ImplementedEndpoint[]
  settings: { PUBLIC_URL: string }
  authenticate: AuthenticateRequest
}

export function mountDocs(app: FastifyInstance, { endpoints, settings, authenticate }: DocsOptions) {
  app.get('/api/openapi.json', async (request) => {
    const isAllowed = isFromLoopback(request, settings) || adminOnly(await authenticateRequest(authenticate, request))
    if (!isAllowed) throw forbiddenError()
    return createOpenApi(endpoints, settings.PUBLIC_URL)
  })
  app.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(docsPage))
  app.get('/api/docs.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(docsStylesheet))
  app.get('/api/docs.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(docsScript))
}

/** Empty: nothing in it is secret from any caller. */
const docsPage = `<!doctype html><html lang="en"><head><title>Leadline API</title><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/api/docs.css"><script src="/api/docs.js" defer></script></head><body><h1>Leadline API</h1>
<p>JSON under <code>/api</code>, with <code>Authorization: Bearer</code>. Machine-readable: <code>/api/openapi.json</code></p>
<main></main></body></html>`

/** Reads openapi.json as the page's session, or on the machine itself as no one, and shows it. */
const docsScript = `const token = /(?:^|; )leadline_token=([\\w-]+)/.exec(document.cookie)?.[1]
const make = (name, ...inside) => {
  const element = document.createElement(name)
  element.append(...inside)
  return element
}
// What stands between backticks is code.
const text = (line) => make('p', ...line.split('\`').map((part, index) => (index % 2 ? make('code', part) : part)))
const details = (title, value) =>
  make('details', make('summary', title), make('pre', JSON.stringify(value, null, 2)))
function* describe(path, method, call) {
  yield make('h2', method.toUpperCase() + ' ' + path)
  if (call.summary) yield text(call.summary)
  yield make('p', 'For: ' + call['x-allow'])
  if (call.parameters.length > 0) yield details('Parameters', call.parameters)
  for (const [type, { schema }] of Object.entries(call.requestBody?.content ?? {}))
    yield details(type === 'application/json' ? 'Body' : 'Body as ' + type, schema)
  if (call.responses['200']) yield details('Response', call.responses['200'])
}
async function show() {
  const answer = await fetch('/api/openapi.json', { headers: token ? { authorization: 'Bearer ' + token } : {} })
  if (!answer.ok) return [make('p', 'This page is for admins: please log in to Leadline in this browser, then reload it.')]
  const { paths } = await answer.json()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => make('section', ...describe(path, method, call))),
  )
}
show().then(
  (sections) => document.querySelector('main').append(...sections),
  () => document.querySelector('main').append(make('p', 'The description could not be read. Please reload the page.')),
)
`

const docsStylesheet = `body{font:14px/20px system-ui;max-width:860px;margin:40px auto;padding:0 16px;color:#1A2230;background:#F6F7F9}
h1{font-size:20px}h2{font-size:13px;font-family:ui-monospace,monospace;margin:32px 0 4px}p{margin:4px 0;color:#556072}h2,p{overflow-wrap:anywhere}
details{margin:4px 0}pre{background:#fff;border:1px solid #E3E7ED;border-radius:6px;padding:8px;overflow:auto;font-size:12px}
@media (prefers-color-scheme:dark){:root{color-scheme:dark}body{color:#E6EAF1;background:#12161D}p{color:#9AA5B6}a{color:#7FA2F5}pre{background:#1A1F29;border-color:#2A3140}}`
