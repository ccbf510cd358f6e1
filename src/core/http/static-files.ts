import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { type CoreSettings, projectRoot } from '../settings/settings.ts'

const builtWebPath = join(projectRoot, 'dist/web')

const builtPagePath = join(builtWebPath, 'index.html')
const readBuiltPage = () => (existsSync(builtPagePath) ? readFileSync(builtPagePath, 'utf8') : null)

/** Allows no inline script but the page's own, and nothing from other hosts but map tiles. */
export const contentSecurityPolicy = (settings: Pick<CoreSettings, 'MAP_TILE_URL' | 'PUBLIC_URL'>) => ({
  useDefaults: false,
  directives: {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...hashInlineScripts(readBuiltPage() ?? '')],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', getTileHost(settings.MAP_TILE_URL)],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'media-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    ...(settings.PUBLIC_URL.startsWith('https:') ? { 'upgrade-insecure-requests': [] } : {}),
  },
})

/** Returns the hashes of the page's inline scripts, by which the policy allows them. */
const hashInlineScripts = (page: string) =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )

/** Returns the origin of map tiles. A policy allows a wildcard only for a whole label, so `{s}.tile.org` becomes `*.tile.org`. */
function getTileHost(tileUrl: string): string {
  const { origin } = new URL(tileUrl.replaceAll('{s}', 'any-name').replaceAll(/\{\w\}/g, '0'))
  return origin.replace(/[\w-]*any-name[\w-]*/, '*')
}

/** What a page is called before its code is loaded, also to those who never load it, such as a preview of a link; and its configuration. */
type PageHead = { title: string; environment: object }

/**
 * Addresses at which there is no page: calls and files, and what crawlers, browsers and scanners look for on any host, such as
 * `/robots.txt`, `/.env` and `/.well-known/security.txt`.
 */
const notPagePattern = /^\/(?:(?:api|assets|\.[^/?]*)(?:\/|$|\?)|[\w.-]+\.\w+(?:$|\?))/

/** Serves the built web: hashed files with unlimited caching, and the page, which does its own routing, for every other address. */
export async function mountWeb(app: FastifyInstance, describePage: (path: string) => Promise<PageHead>) {
  const page = readBuiltPage()
  if (page)
    await app.register(fastifyStatic, {
      root: join(builtWebPath, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '1y',
      preCompressed: true,
    })

  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    if (notPagePattern.test(request.url) || !wantsPage || !page) return reply.status(404).send({ message: 'Not found' })
    const head = await describePage(request.url.replace(/[?#].*/, ''))
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('x-robots-tag', 'noindex')
      .send(writePageHead(page, head))
  })
}

/** Writes the title of the page, and the configuration that it needs before sign-in, into its head. */
export const writePageHead = (page: string, { title, environment }: PageHead): string =>
  page
    .replace(
      /<meta name="leadline"[^>]*>/,
      () => `<meta name="leadline" content="${escapeMarkup(JSON.stringify(environment))}">`,
    )
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeMarkup(title)}</title>`)

const escapeMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
