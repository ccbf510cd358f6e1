import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { adminOnly } from '#contract/allow.ts'
import { isFromLoopback } from '../health/health.ts'
import { forbiddenError } from './errors.ts'
import { type AuthenticateRequest, authenticateRequest, type ImplementedEndpoint } from './handle.ts'
import { createOpenApi } from './openapi.ts'

/** The API's documentation, generated from the contract: for machines at openapi.json, for people at docs. */
type DocsOptions = { endpoints: readonly ImplementedEndpoint[]; publicUrl: string; authenticate: AuthenticateRequest }

export function mountDocs(app: FastifyInstance, { endpoints, publicUrl, authenticate }: DocsOptions) {
  app.get('/api/openapi.json', async (request) => {
    await assertStaff(authenticate, request)
    return createOpenApi(endpoints, publicUrl)
  })
  app.get('/api/docs.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(docsStylesheet))
  app.get('/api/docs', async (request, reply) => {
    await assertStaff(authenticate, request)
    return renderDocsPage(endpoints, reply)
  })
}

/** Throws 403 unless the caller is staff or on this machine. A browser opens the page without a header, so the app's cookie counts. */
async function assertStaff(authenticate: AuthenticateRequest, request: FastifyRequest) {
  if (isFromLoopback(request)) return
  const token = /(?:^|; )leadline_token=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const me = (await authenticateRequest(authenticate, request)) ?? (token ? await authenticate(token, request) : null)
  if (!adminOnly(me)) throw forbiddenError()
}

const docsStylesheet = `body{font:14px/20px system-ui;max-width:860px;margin:40px auto;padding:0 16px;color:#1A2230;background:#F6F7F9}
h1{font-size:20px}h2{font-size:13px;font-family:ui-monospace,monospace;margin:32px 0 4px}p{margin:4px 0;color:#556072}h2,p{overflow-wrap:anywhere}
details{margin:4px 0}pre{background:#fff;border:1px solid #E3E7ED;border-radius:6px;padding:8px;overflow:auto;font-size:12px}
@media (prefers-color-scheme:dark){:root{color-scheme:dark}body{color:#E6EAF1;background:#12161D}p{color:#9AA5B6}a{color:#7FA2F5}pre{background:#1A1F29;border-color:#2A3140}}`

async function renderDocsPage(endpoints: readonly ImplementedEndpoint[], reply: FastifyReply) {
  // Large, and rarely needed. CommonJS: its names are properties of the default, also in the build.
  const { renderToStaticMarkup } = (await import('react-dom/server')).default
  const { paths } = createOpenApi(endpoints, '')
  const html = renderToStaticMarkup(
    <html lang="en">
      <head>
        <title>Leadline API</title>
        <meta name="viewport" content="width=device-width" />
        <link rel="stylesheet" href="/api/docs.css" />
      </head>
      <body>
        <h1>Leadline API</h1>
        <p>
          JSON under <code>/api</code>, with <code>Authorization: Bearer</code>. Machine-readable:{' '}
          <a href="/api/openapi.json">openapi.json</a>
        </p>
        {Object.entries(paths).flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, call]) => (
            <section key={`${method} ${path}`}>
              <h2>
                {method.toUpperCase()} {path}
              </h2>
              {call.summary ? <p>{renderCode(call.summary)}</p> : null}
              <p>For: {call['x-allow']}</p>
              {call.parameters.length > 0 ? <SchemaDetails title="Parameters" value={call.parameters} /> : null}
              {call.requestBody ? (
                <SchemaDetails title="Body" value={call.requestBody.content['application/json'].schema} />
              ) : null}
              {call.responses['200'] ? <SchemaDetails title="Response" value={call.responses['200']} /> : null}
            </section>
          )),
        )}
      </body>
    </html>,
  )
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>${html}`)
}

/** Shows what stands between backticks as code. */
const renderCode = (text: string) =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )

function SchemaDetails({ title, value }: { title: string; value: unknown }) {
  return (
    <details>
      <summary>{title}</summary>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </details>
  )
}
