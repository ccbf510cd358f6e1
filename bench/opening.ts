import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { BrowserContext } from 'playwright-core'
import { build } from 'vite'
import { projectRoot } from '#core/settings/settings.ts'
import { median } from './http-client.ts'

/**
 * Opening the list of leads with a warm cache, compared with a bare React page that shows the same rows (bench/bare). Milliseconds from
 * navigation to the first row, measured in the page itself; the two take turns.
 */
export type Opening = { ours: number; bare: number; ratio: number }

const goal = 1.5

export const openingRow = ({ ours, bare, ratio }: Opening): string[] => [
  'opening the leads list, warm, against a bare React page',
  `${ours.toFixed(0)} ms`,
  `${bare.toFixed(0)} ms`,
  ratio.toFixed(2),
  `at most ${goal} x`,
  ratio <= goal ? 'met' : 'MISSED',
]

const firstRow = 'tr[data-index]'

export async function measureOpening(context: BrowserContext, url: string, rounds: number): Promise<Opening> {
  const bare = await serveBarePage(url)
  try {
    await carryCookies(context, url, bare.url)
    const query = await findListQuery(context, url)
    const sides = [`${url}/leads`, `${bare.url}/${query}`] as const
    for (const side of sides) await timeToFirstRow(context, side) // the cache is warm from here on
    const pairs: [number, number][] = []
    for (let round = 0; round < rounds; round += 1)
      pairs.push([await timeToFirstRow(context, sides[0]), await timeToFirstRow(context, sides[1])])
    return {
      ours: median(pairs.map(([ours]) => ours)),
      bare: median(pairs.map(([, floor]) => floor)),
      ratio: median(pairs.map(([ours, floor]) => ours / floor)),
    }
  } finally {
    bare.stop()
  }
}

async function timeToFirstRow(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage()
  await page.addInitScript((row) => {
    const seen = new Promise<number>((resolve) => {
      const look = () => {
        if (!document.querySelector(row)) return
        watch.disconnect()
        // After the frame with the row is drawn.
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
      }
      const watch = new MutationObserver(look)
      watch.observe(document, { childList: true, subtree: true })
    })
    Object.assign(window, { firstRowSeen: seen })
  }, firstRow)
  await page.goto(address)
  const ms = await page.evaluate(() => (window as unknown as { firstRowSeen: Promise<number> }).firstRowSeen)
  await page.close()
  return ms
}

/** Returns the query that the list of leads sends when it opens. */
async function findListQuery(context: BrowserContext, url: string): Promise<string> {
  const page = await context.newPage()
  const asked = page.waitForRequest((one) => /\/api\/leads\/list\/data\?.*per_page=50/.test(one.url()))
  await page.goto(`${url}/leads`)
  const { search } = new URL((await asked).url())
  await page.close()
  return search
}

async function carryCookies(context: BrowserContext, from: string, to: string) {
  const cookies = await context.cookies(from)
  await context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: to })))
}

/** Serves the bare page, compressed and cached like ours; its API calls are forwarded to the demo. */
async function serveBarePage(api: string) {
  const outDir = mkdtempSync(join(tmpdir(), 'leadline-bare-'))
  await build({
    root: join(projectRoot, 'bench/bare'),
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir, lib: { entry: 'main.tsx', formats: ['iife'], name: 'bare', fileName: 'bare' } },
  })
  const script = brotliCompressSync(readFileSync(join(outDir, 'bare.iife.js')))
  rmSync(outDir, { recursive: true })
  const page = '<!doctype html><title>Bare</title><script defer src="/bare.js"></script><div id="root"></div>'
  const server = createServer((asked, answer) => {
    const path = asked.url ?? '/'
    if (path.startsWith('/api/')) {
      const onward = request(`${api}${path}`, { headers: { ...asked.headers, host: new URL(api).host } }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      })
      asked.pipe(onward)
    } else if (path === '/bare.js') {
      answer.writeHead(200, {
        'content-type': 'text/javascript',
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      answer.end(script)
    } else {
      answer.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-cache' })
      answer.end(page)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // it listens on a port
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  // localhost is a different site: cookies ignore ports, so the two sessions would otherwise be shared.
  return { url: `http://localhost:${port}`, stop }
}
