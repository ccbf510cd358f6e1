import { cutText } from '#contract/cut-text.ts'
import type { OutboundClient } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-problem.ts'
import { toPlainText } from '../outbound/plain-text.ts'
import { readHtml } from '../outbound/read-html.ts'
import { type OutboundResponse, parseJson } from '../outbound/response.ts'
import { parseRetryAfter } from '../outbound/retry-after.ts'

export const listingFields = ['title', 'address', 'phone', 'website', 'category', 'closed'] as const
export type ListingField = (typeof listingFields)[number]
/** The fields of a listing: null if the listing has none, absent if it is not known. */
export type ListingSnapshot = Partial<Record<ListingField, string | null>>

export type ListingResult =
  | { outcome: 'listing'; snapshot: ListingSnapshot }
  /** There is no such place. `certain` if Google says so with its status, not if a page merely names no place. */
  | { outcome: 'none'; certain: boolean }
  /** The listing could not be read; `rest` is how many seconds to wait before the next request. */
  | { outcome: 'unread'; problem: string; rest: number | null }

/** The host of all listings: they are requested slowly, one at a time. */
export const mapsHost = 'maps.google.com'
/** Enough for the beginning of a page, where its tags are. */
const maxPageBytes = 1_000_000
const hourSeconds = 3600

/** Reads a listing at its public link, without an account. Network errors give `unread`; only bugs throw. */
export async function readPublicListing(outbound: OutboundClient, cid: string): Promise<ListingResult> {
  try {
    const response = await outbound.request(`https://${mapsHost}/maps?cid=${cid}&hl=en`, {
      mostBytes: maxPageBytes,
      follow: isMapsUrl,
      headers: { accept: 'text/html', 'accept-language': 'en' },
    })
    return await parseResponse(response)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return createUnreadResult(error.message)
  }
}

const isMapsUrl = ({ hostname, pathname }: URL) =>
  /^(www\.|maps\.)?google\.(com|[a-z]{2}|com?\.[a-z]{2})$/.test(hostname) && !pathname.startsWith('/sorry')

const createUnreadResult = (problem: string, rest: number | null = null): ListingResult => ({
  outcome: 'unread',
  problem,
  rest,
})
const captchaMessage = 'Google takes us for a bot and asks for a captcha'
const consentMessage = 'Google asks for consent before it shows anything'

async function parseResponse(response: OutboundResponse): Promise<ListingResult> {
  const { status, headers } = response
  if (status === 200 && /^text\/html\b/.test(headers['content-type'] ?? ''))
    return parseListingPage(await readPageHead(response.chunks()))
  response.close()
  if (status === 404 || status === 410) return { outcome: 'none', certain: true }
  if ([403, 429, 503].includes(status))
    return createUnreadResult(
      `Google blocks automated requests (${status})`,
      Math.max(parseRetryAfter(headers['retry-after']) ?? hourSeconds, 60),
    )
  if (status >= 300 && status < 400) return parseRedirect(headers.location, response.url)
  return createUnreadResult(status === 200 ? 'The response is not a page' : `Google answers ${status}`)
}

function parseRedirect(location = '', from: string): ListingResult {
  const { hostname, pathname } = URL.canParse(location, from) ? new URL(location, from) : new URL(from)
  if (pathname.startsWith('/sorry')) return createUnreadResult(captchaMessage, hourSeconds)
  if (hostname.startsWith('consent.')) return createUnreadResult(consentMessage, hourSeconds)
  return createUnreadResult(`Leads to another host, ${toPlainText(hostname, 100)}`)
}

/**
 * Parses a listing's page. Its title has the name and address (`Summit Roofing · 100 Main St, Austin, TX 78701`), its description the
 * stars and category, or that the place is closed; linked data, if any, adds phone and website. A page without a place has the title
 * `Google Maps`. Any other page is `unread`.
 */
function parseListingPage({ meta, data, wall }: PageHead): ListingResult {
  if (wall) return createUnreadResult(wall === 'captcha' ? captchaMessage : consentMessage, hourSeconds)
  const name = toPlainText(meta.get('og:title'), 500)
  const linked = parseLinkedData(data)
  if (name === 'Google Maps' && !linked) return { outcome: 'none', certain: false }
  if ((name === null || name === 'Google Maps') && !linked?.title) return createUnreadResult('The page names no place')
  return {
    outcome: 'listing',
    snapshot: { ...linked, ...(name && name !== 'Google Maps' ? parseTitle(name) : {}), ...parseDescription(meta) },
  }
}

/** Parses a title: the text after the last dot is the address, which a business that visits its customers does not show. */
function parseTitle(name: string): ListingSnapshot {
  const at = name.lastIndexOf(' · ')
  return at < 1 ? { title: name, address: null } : { title: name.slice(0, at), address: name.slice(at + 3) }
}

function parseDescription(meta: Map<string, string>): ListingSnapshot {
  const text = toPlainText(meta.get('og:description'))
  if (text === null) return {}
  const closed = /\b(permanently|temporarily) closed\b/i.exec(text)?.[0].toLowerCase() ?? null
  const category = /^[★☆]+ · ([^·]+)/.exec(text)?.[1]?.trim()
  return { closed, ...(category && !closed ? { category } : {}) }
}

type JsonObject = Record<string, unknown>
const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** Returns the first entry of the linked data with a name and an address or phone. Fields that it lacks are null. */
function parseLinkedData(data: unknown[]): ListingSnapshot | null {
  const things = data
    .flat()
    .flatMap((one) => (isJsonObject(one) && Array.isArray(one['@graph']) ? one['@graph'] : [one]))
    .filter(isJsonObject)
  const place = things.find((one) => toPlainText(one.name) && ('address' in one || 'telephone' in one))
  if (!place) return null
  const website = toPlainText(place.url, 2048)
  const isOwn = website === null || (URL.canParse(website) && !isMapsUrl(new URL(website)))
  return {
    title: toPlainText(place.name, 500),
    address: formatAddress(place.address),
    phone: toPlainText(place.telephone, 50),
    ...(isOwn ? { website } : {}),
  }
}

function formatAddress(value: unknown): string | null {
  if (!isJsonObject(value)) return toPlainText(value, 500)
  const region = [toPlainText(value.addressRegion), toPlainText(value.postalCode)].filter(Boolean).join(' ')
  const parts = [toPlainText(value.streetAddress), toPlainText(value.addressLocality), region].filter(Boolean)
  return parts.length > 0 ? cutText(parts.join(', '), 500) : null
}

/** The machine-readable head of a page: its meta tags by name, its linked data, and whether it is a captcha or consent page. */
type PageHead = { meta: Map<string, string>; data: unknown[]; wall: 'captcha' | 'consent' | null }

const maxScriptLength = 200_000

async function readPageHead(pieces: AsyncIterable<Buffer>): Promise<PageHead> {
  const page = new PageHeadReader()
  await readHtml(pieces, page)
  return page.head
}

class PageHeadReader {
  readonly head: PageHead = { meta: new Map(), data: [], wall: null }
  #script: string | null = null

  opened(name: string, attributes: Record<string, string>) {
    if (name === 'meta') this.#addMeta(attributes)
    if (name === 'script' && attributes.type?.trim().toLowerCase() === 'application/ld+json') this.#script = ''
    if (attributes.id === 'captcha-form' || /\bg-recaptcha\b/.test(attributes.class ?? '')) this.head.wall = 'captcha'
    if (name === 'form' && /^https:\/\/consent\.google\./.test(attributes.action ?? '')) this.head.wall ??= 'consent'
  }

  text(text: string) {
    if (this.#script !== null && this.#script.length < maxScriptLength) this.#script += text
  }

  closed(name: string) {
    if (name !== 'script' || this.#script === null) return
    const data = parseJson(this.#script)
    if (data !== undefined && this.head.data.length < 20) this.head.data.push(data)
    this.#script = null
  }

  /** Keeps the first tag of a name, as other readers of these tags do. */
  #addMeta({ property, name, content }: Record<string, string>) {
    const key = (property ?? name)?.toLowerCase()
    if (key && content !== undefined && this.head.meta.size < 100 && !this.head.meta.has(key))
      this.head.meta.set(key, content)
  }
}
