import { setTimeout as pause } from 'node:timers/promises'
import robotsParser from 'robots-parser'
import { hostOf } from '#contract/fields.ts'
import type { Outbound } from '#integrations/outbound/outbound.ts'
import { OutboundProblem } from '#integrations/outbound/outbound-problem.ts'
import type { Heard } from '#integrations/outbound/response.ts'
import { type Found, readLinks } from './read-links.ts'

export type Crawl = {
  links: (Found & { page: string; type: string })[]
  /** Pages that should have answered and did not: what was on them may still be there. */
  missed: number
  pages: number
}

/** Nothing could be read; perhaps with how long the site wants to be left alone. */
export class CrawlFailed extends Error {
  readonly restSeconds: number | null

  constructor(message: string, restSeconds: number | null = null) {
    super(message)
    this.restSeconds = restSeconds
  }
}

/** The page is gone, or was never the site's: what was on it is not there any more. */
class NoPage extends CrawlFailed {}

export type Manners = {
  /** Milliseconds between two requests; a site may ask for more in its robots.txt. */
  between: number
  milliseconds: number
  /** Makes each request when it is our turn to speak to the host. */
  inTurn: <T>(request: () => Promise<T>) => Promise<T>
}

const mostPages = 200
const mostBytes = 2_000_000
const mostLinks = 5000
const robot = 'LeadlineBot'
const noPage =
  /\.(jpe?g|png|gif|webp|avif|svg|ico|css|js|mjs|json|xml|pdf|zip|gz|mp[34]|webm|woff2?|ttf|docx?|xlsx?|pptx?)$/i

/** Reads the pages of a site from its first one on, as far as its robots.txt lets us, and collects every link to another host. */
export async function crawl(outbound: Outbound, start: string, manners: Manners): Promise<Crawl> {
  const end = performance.now() + manners.milliseconds
  const { mayRead, between } = await rulesOf(outbound, start, manners)
  if (!mayRead(start)) throw new CrawlFailed('robots.txt keeps crawlers out')
  const own = hostOf(start)
  const found: Crawl = { links: [], missed: 0, pages: 0 }
  const known = new Set([tidy(start)])
  const queue = [...known]
  for (let at = 0; at < queue.length && found.pages < mostPages; at++) {
    if (performance.now() > end) {
      found.missed += queue.length - at
      break
    }
    const address = queue[at]!
    await pause(between)
    try {
      const page = await read(outbound, address, manners)
      found.pages += 1
      for (const link of page.links) {
        if (hostOf(link.url) !== own) collect(found, { ...link, page: address, type: page.type })
        else if (
          known.size < mostPages * 10 &&
          !known.has(link.url) &&
          !noPage.test(new URL(link.url).pathname) &&
          mayRead(link.url)
        ) {
          known.add(link.url)
          queue.push(link.url)
        }
      }
    } catch (error) {
      if (!(error instanceof CrawlFailed)) throw error
      if (at === 0) throw error
      if (error instanceof NoPage) continue
      found.missed += 1
      if (error.restSeconds !== null) {
        found.missed += queue.length - at - 1 // it asked for rest: no more today
        break
      }
    }
  }
  return found
}

function collect(found: Crawl, link: Crawl['links'][number]) {
  if (found.links.length < mostLinks) found.links.push(link)
  else found.missed += 1
}

const tidy = (address: string) => {
  const url = new URL(address)
  url.hash = ''
  return url.href
}

type Page = { links: Found[]; type: string }
const nothing: Page = { links: [], type: '' }

async function read(outbound: Outbound, address: string, manners: Manners, tries = 1): Promise<Page> {
  const heard = await ask(outbound, address, manners)
  const { status, headers } = heard
  if (status >= 200 && status < 300) return readPage(heard)
  heard.close()
  const asked = restOf(headers['retry-after'])
  if ((status === 429 || status === 503) && tries > 0 && asked !== null && asked <= 60) {
    await pause(asked * 1000)
    return read(outbound, address, manners, tries - 1)
  }
  if (status < 400 && headers.location)
    throw new NoPage(`It leads to another host, ${hostOf(new URL(headers.location, address).href)}`)
  if (status === 404 || status === 410) throw new NoPage(`It answers ${status}`)
  throw new CrawlFailed(`It answers ${status}`, status === 429 || status === 503 ? (asked ?? 3600) : null)
}

async function readPage(heard: Heard): Promise<Page> {
  const [type = '', ...more] = (heard.headers['content-type'] ?? 'text/html').toLowerCase().split(';')
  if (!/^(text\/html|application\/xhtml\+xml)$/.test(type.trim())) {
    heard.close()
    return nothing
  }
  const charset = /charset="?([\w-]+)/.exec(more.join(';'))?.[1] ?? 'utf-8'
  try {
    return { links: await readLinks(heard.chunks(), heard.url, charset), type: type.trim() }
  } catch (error) {
    throw failure(error)
  }
}

async function ask(outbound: Outbound, address: string, { inTurn }: Manners): Promise<Heard> {
  const own = hostOf(address)
  const follow = (next: URL) => hostOf(next.href) === own // another host is not ours to read
  try {
    return await inTurn(() =>
      outbound.request(address, { follow, mostBytes, headers: { accept: 'text/html,application/xhtml+xml' } }),
    )
  } catch (error) {
    throw failure(error)
  }
}

const failure = (error: unknown) => (error instanceof OutboundProblem ? new CrawlFailed(error.message) : error)

/** Seconds, as a number or until a date; a day at most. */
function restOf(retryAfter: string | undefined): number | null {
  if (!retryAfter) return null
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), 86_400)
}

/** A site without a robots.txt has no rules; one that fails to answer may have any, and is left in peace. */
async function rulesOf(outbound: Outbound, start: string, manners: Manners) {
  const address = new URL('/robots.txt', start).href
  const heard = await ask(outbound, address, manners)
  if (heard.status >= 500 || heard.status === 429) {
    heard.close()
    throw new CrawlFailed(`robots.txt answers ${heard.status}`, restOf(heard.headers['retry-after']) ?? 3600)
  }
  let text = ''
  if (heard.status === 200)
    text = await heard.text().catch((error) => {
      throw failure(error)
    })
  else heard.close()
  const rules = robotsParser(address, text)
  const delay = Math.min((rules.getCrawlDelay(robot) ?? 0) * 1000, 10_000)
  return {
    // Rules are of one origin; our own pages under another (http, www) are read by the same ones.
    mayRead: (url: string) => {
      const { pathname, search } = new URL(url)
      return rules.isAllowed(new URL(pathname + search, start).href, robot) ?? true
    },
    between: Math.max(manners.between, delay),
  }
}
