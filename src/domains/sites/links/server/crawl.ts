import { setTimeout as pause } from 'node:timers/promises'
import robotsParser from 'robots-parser'
import { parseHost } from '#contract/web-address.ts'
import { describeBotWall } from '#domains/sites/checks/server/bot-walls.ts'
import { findChallengeOfPage } from '#domains/sites/checks/server/replaced-page.ts'
import { browserHeaders } from '#integrations/outbound/browser-headers.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import { toPlainText } from '#integrations/outbound/plain-text.ts'
import { readHtml } from '#integrations/outbound/read-html.ts'
import type { OutboundResponse } from '#integrations/outbound/response.ts'
import { parseRetryAfter } from '#integrations/outbound/retry-after.ts'

export type CrawlResult = {
  links: (ExtractedLink & { page: string; type: string })[]
  /** Pages that failed to answer: their links may still exist. */
  missed: number
  /** The pages that were read or are gone; null if the site has no others. */
  visited: string[] | null
}

type FoundLinks = Omit<CrawlResult, 'visited'>

/** Nothing could be read; `restSeconds` is the pause that the site asked for, if any. */
export class CrawlError extends Error {
  readonly restSeconds: number | null

  constructor(message: string, restSeconds: number | null = null) {
    super(message)
    this.restSeconds = restSeconds
  }
}

/** The page is gone, or belongs to another host: its links are gone too. */
class PageGoneError extends CrawlError {}

type CrawlPolicy = {
  /** Milliseconds between two requests; a site may ask for more in its robots.txt. */
  between: number
  milliseconds: number
  /** Makes each request when the host is free. */
  inTurn: <T>(request: () => Promise<T>) => Promise<T>
}

const maxPages = 200
const maxPageBytes = 2_000_000
const mostBytesOfChallenge = 24_000
const maxSiteLinks = 5000
const crawlerName = 'LeadlineBot'
const nonPagePattern =
  /\.(jpe?g|png|gif|webp|avif|svg|ico|css|js|mjs|json|xml|pdf|zip|gz|mp[34]|webm|woff2?|ttf|docx?|xlsx?|pptx?)$/i

/** Reads the pages of a site from its first one on, as far as its robots.txt allows, and collects every link to another host. */
export async function crawlNetworkSite(
  outbound: OutboundClient,
  start: string,
  policy: CrawlPolicy,
): Promise<CrawlResult> {
  const end = performance.now() + policy.milliseconds
  const { mayRead, between } = await fetchRobotsRules(outbound, start, policy)
  if (!mayRead(start)) throw new CrawlError('robots.txt keeps crawlers out')
  const own = parseHost(start)
  const found: FoundLinks = { links: [], missed: 0 }
  const visited: string[] = []
  let pages = 0
  const known = new Set([stripHash(start)])
  const queue = [...known]
  for (let at = 0; at < queue.length && pages < maxPages; at++) {
    if (performance.now() > end) {
      found.missed += queue.length - at
      break
    }
    const address = queue[at]!
    await pause(between)
    try {
      const page = await fetchPage(outbound, address, policy)
      pages += 1
      visited.push(address)
      for (const link of page.links) {
        if (parseHost(link.url) !== own) collectLink(found, { ...link, page: address, type: page.type })
        else if (
          known.size < maxPages * 10 &&
          !known.has(link.url) &&
          !nonPagePattern.test(new URL(link.url).pathname) &&
          mayRead(link.url)
        ) {
          known.add(link.url)
          queue.push(link.url)
        }
      }
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error
      if (at === 0) throw error
      if (error instanceof PageGoneError) {
        visited.push(address)
        continue
      }
      found.missed += 1
      if (error.restSeconds !== null) {
        found.missed += queue.length - at - 1 // the site asked for a pause: the rest is skipped
        break
      }
    }
  }
  return { ...found, visited: visited.length < queue.length ? visited : null }
}

function collectLink(found: FoundLinks, link: CrawlResult['links'][number]) {
  if (found.links.length < maxSiteLinks) found.links.push(link)
  else found.missed += 1
}

const stripHash = (address: string) => {
  const url = new URL(address)
  url.hash = ''
  return url.href
}

type CrawledPage = { links: ExtractedLink[]; type: string }
const emptyPage: CrawledPage = { links: [], type: '' }

async function fetchPage(
  outbound: OutboundClient,
  address: string,
  policy: CrawlPolicy,
  tries = 1,
): Promise<CrawledPage> {
  const response = await requestOrRetry(outbound, address, policy)
  const { status, headers } = response
  if (status >= 200 && status < 300) return parsePage(response)
  response.close()
  const retryAfter = parseRetryAfter(headers['retry-after'])
  if ((status === 429 || status === 503) && tries > 0 && retryAfter !== null && retryAfter <= 60) {
    await pause(retryAfter * 1000)
    return fetchPage(outbound, address, policy, tries - 1)
  }
  if (status < 400 && headers.location)
    throw new PageGoneError(`Leads to another host, ${parseHost(new URL(headers.location, address).href)}`)
  if (status === 404 || status === 410) throw new PageGoneError(`Error ${status}`)
  throw new CrawlError(`Error ${status}`, status === 429 || status === 503 ? (retryAfter ?? 3600) : null)
}

async function parsePage(response: OutboundResponse): Promise<CrawledPage> {
  const [type = '', ...more] = (response.headers['content-type'] ?? 'text/html').toLowerCase().split(';')
  if (!/^(text\/html|application\/xhtml\+xml)$/.test(type.trim())) {
    response.close()
    return emptyPage
  }
  const charset = /charset\s*=\s*["']?([\w-]+)/.exec(more.join(';'))?.[1] ?? null
  let beginning = Buffer.alloc(0)
  async function* read() {
    for await (const piece of response.chunks()) {
      if (beginning.length < mostBytesOfChallenge) beginning = Buffer.concat([beginning, piece])
      yield piece
    }
  }
  try {
    const links = await extractPageLinks(read(), response.url, charset)
    await refuseChallenge(response, beginning)
    return { links, type: type.trim() }
  } catch (error) {
    throw toCrawlError(error)
  }
}

/** A wall that asks whether its visitor is a person has none of the site's links, and often says 200. */
async function refuseChallenge({ status, headers, url }: OutboundResponse, beginning: Buffer) {
  const chunks = async function* () {
    yield beginning
  }
  const wall = describeBotWall(status, headers, await findChallengeOfPage({ url, headers, chunks }))
  if (wall) throw new CrawlError(wall)
}

/** Unauthorized, forbidden, not acceptable, withheld for legal reasons. */
const refusals: readonly number[] = [401, 403, 406, 451]

/** Requests a page in our name; where that is refused, once more as a browser would. */
async function requestOrRetry(
  outbound: OutboundClient,
  address: string,
  policy: CrawlPolicy,
): Promise<OutboundResponse> {
  const response = await requestPage(outbound, address, policy)
  if (!refusals.includes(response.status)) return response
  response.close()
  return requestPage(outbound, address, policy, browserHeaders)
}

async function requestPage(
  outbound: OutboundClient,
  address: string,
  { inTurn }: CrawlPolicy,
  headers: Record<string, string> = { accept: 'text/html,application/xhtml+xml' },
): Promise<OutboundResponse> {
  const own = parseHost(address)
  const follow = (next: URL) => parseHost(next.href) === own // other hosts are not crawled
  try {
    return await inTurn(() =>
      outbound.request(address, {
        follow,
        mostBytes: maxPageBytes,
        likeBrowser: true,
        headers,
      }),
    )
  } catch (error) {
    throw toCrawlError(error)
  }
}

const toCrawlError = (error: unknown) => (error instanceof OutboundError ? new CrawlError(error.message) : error)

/** A site without a robots.txt has no rules; one that fails to answer may have any, and is not crawled. */
async function fetchRobotsRules(outbound: OutboundClient, start: string, policy: CrawlPolicy) {
  const address = new URL('/robots.txt', start).href
  const response = await requestPage(outbound, address, policy)
  if (response.status >= 500 || response.status === 429) {
    response.close()
    throw new CrawlError(
      `robots.txt answers ${response.status}`,
      parseRetryAfter(response.headers['retry-after']) ?? 3600,
    )
  }
  let text = ''
  if (response.status === 200)
    text = await response.text().catch((error) => {
      throw toCrawlError(error)
    })
  else response.close()
  const rules = robotsParser(address, text)
  const delay = Math.min((rules.getCrawlDelay(crawlerName) ?? 0) * 1000, 10_000)
  return {
    // Rules belong to one origin; our pages under another one (http, www) use the same rules.
    mayRead: (url: string) => {
      const { pathname, search } = new URL(url)
      return rules.isAllowed(new URL(pathname + search, start).href, crawlerName) ?? true
    },
    between: Math.max(policy.between, delay),
  }
}

/** A link of a page, with its absolute URL. */
type ExtractedLink = { url: string; anchor: string | null; rel: string | null }

const maxPageLinks = 5000
const maxAnchorLength = 500

/** Reads the links of a page as a stream, without holding all of it in memory. */
export async function extractPageLinks(
  pieces: AsyncIterable<Buffer>,
  address: string,
  charset: string | null,
): Promise<ExtractedLink[]> {
  const page = new LinkExtractor(address)
  await readHtml(pieces, page, charset)
  return page.links
}

class LinkExtractor {
  readonly links: ExtractedLink[] = []
  #base: string
  #hasBase = false
  #open: { href: string; rel: string | null; words: string } | null = null

  constructor(address: string) {
    this.#base = address
  }

  isFull(): boolean {
    return this.links.length >= maxPageLinks
  }

  opened(name: string, { href, rel, alt }: Record<string, string>) {
    if (name === 'base' && href !== undefined) this.#setBase(href)
    if (name === 'img' && alt) this.text(alt)
    if (name !== 'a' && name !== 'area') return
    this.#close()
    if (href !== undefined) this.#open = { href, rel: toPlainText(rel?.toLowerCase()), words: '' }
    if (name === 'area') this.#close(alt)
  }

  closed(name: string) {
    if (name === 'a') this.#close()
  }

  text(text: string) {
    if (this.#open && this.#open.words.length < maxAnchorLength * 2)
      this.#open.words += text.slice(0, maxAnchorLength * 2)
  }

  /** Only the first one counts, if it is an address of pages. */
  #setBase(href: string) {
    const base = URL.parse(href, this.#base)
    if (!this.#hasBase && base && /^https?:$/.test(base.protocol)) this.#base = base.href
    this.#hasBase = true
  }

  #close(words?: string) {
    const link = this.#open
    this.#open = null
    if (!link || link.href.length > 4096 || !URL.canParse(link.href, this.#base)) return
    const url = new URL(link.href, this.#base)
    url.hash = ''
    if (!/^https?:$/.test(url.protocol) || url.href.length > 2048) return
    if (this.links.length < maxPageLinks)
      this.links.push({ url: url.href, anchor: toPlainText(words ?? link.words, maxAnchorLength), rel: link.rel })
  }
}
