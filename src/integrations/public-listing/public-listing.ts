import type { IncomingHttpHeaders } from 'node:http'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundProblem } from '../outbound/outbound-problem.ts'
import { plainText } from '../outbound/plain-text.ts'
import type { Heard } from '../outbound/response.ts'
import { type PageHead, readHead } from './listing-page.ts'

export const listingFields = ['title', 'address', 'phone', 'website', 'category', 'closed'] as const
export type ListingField = (typeof listingFields)[number]
/** What a listing says: null where it says that there is none, absent where nothing is said about it. */
export type Told = Partial<Record<ListingField, string | null>>

export type Answer =
  | { outcome: 'listing'; told: Told }
  /** There is no such place. `certain` when Google says so in so many words, not when a page just names no place. */
  | { outcome: 'none'; certain: boolean }
  /** Nothing can be said; `rest` is how many seconds Google wants to be left alone. */
  | { outcome: 'unread'; problem: string; rest: number | null }

/** All listings are there: one at a time is asked for, at a walk. */
export const mapsHost = 'maps.google.com'
/** A page's beginning, where its tags are. */
const mostBytes = 1_000_000
const hour = 3600

/** What the public link of a listing answers to whoever asks without an account. Only a program's own mistake throws. */
export async function readPublicListing(outbound: Outbound, cid: string): Promise<Answer> {
  try {
    const heard = await outbound.request(`https://${mapsHost}/maps?cid=${cid}&hl=en`, {
      mostBytes,
      follow: isMaps,
      headers: { accept: 'text/html', 'accept-language': 'en' },
    })
    return await judged(heard)
  } catch (error) {
    if (!(error instanceof OutboundProblem)) throw error
    return unread(error.message)
  }
}

const isMaps = ({ hostname, pathname }: URL) =>
  /^(www\.|maps\.)?google\.(com|[a-z]{2}|com?\.[a-z]{2})$/.test(hostname) && !pathname.startsWith('/sorry')

const unread = (problem: string, rest: number | null = null): Answer => ({ outcome: 'unread', problem, rest })
const captcha = 'Google takes us for a program and asks for a captcha'
const consent = 'Google asks for consent before it shows anything'

async function judged(heard: Heard): Promise<Answer> {
  const { status, headers } = heard
  if (status === 200 && /^text\/html\b/.test(headers['content-type'] ?? '')) return said(await readHead(heard.chunks()))
  heard.close()
  if (status === 404 || status === 410) return { outcome: 'none', certain: true }
  if ([403, 429, 503].includes(status)) return unread(`Google keeps programs out (${status})`, restOf(headers))
  if (status >= 300 && status < 400) return ledAway(headers.location, heard.url)
  return unread(status === 200 ? 'The answer is not a page' : `Google answers ${status}`)
}

function ledAway(location = '', from: string): Answer {
  const { hostname, pathname } = URL.canParse(location, from) ? new URL(location, from) : new URL(from)
  if (pathname.startsWith('/sorry')) return unread(captcha, hour)
  if (hostname.startsWith('consent.')) return unread(consent, hour)
  return unread(`It leads to another host, ${plainText(hostname, 100)}`)
}

/** Seconds or a date, within reason: an hour where nothing is said. */
function restOf({ 'retry-after': after }: IncomingHttpHeaders): number {
  const seconds = /^\d{1,9}$/.test(after ?? '') ? Number(after) : (Date.parse(after ?? '') - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 60), 24 * hour) : hour
}

/**
 * A place's page has the name and address as its title (`Summit Roofing · 100 Main St, Austin, TX 78701`), its stars and
 * category, or that it is closed, as its description; linked data adds phone and website where there is any. The same page
 * without a place is titled `Google Maps`. Anything else says nothing.
 */
function said({ meta, data, wall }: PageHead): Answer {
  if (wall) return unread(wall === 'captcha' ? captcha : consent, hour)
  const name = plainText(meta.get('og:title'), 500)
  const linked = linkedData(data)
  if (name === 'Google Maps' && !linked) return { outcome: 'none', certain: false }
  if ((name === null || name === 'Google Maps') && !linked?.title) return unread('The page names no place')
  return {
    outcome: 'listing',
    told: { ...linked, ...(name && name !== 'Google Maps' ? titled(name) : {}), ...described(meta) },
  }
}

/** What stands after the last dot is the address; a business that goes to its customers shows none. */
function titled(name: string): Told {
  const at = name.lastIndexOf(' · ')
  return at < 1 ? { title: name, address: null } : { title: name.slice(0, at), address: name.slice(at + 3) }
}

function described(meta: Map<string, string>): Told {
  const text = plainText(meta.get('og:description'))
  if (text === null) return {}
  const closed = /\b(permanently|temporarily) closed\b/i.exec(text)?.[0].toLowerCase() ?? null
  const category = /^[★☆]+ · ([^·]+)/.exec(text)?.[1]?.trim()
  return { closed, ...(category && !closed ? { category } : {}) }
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Of the first thing that has a name and a place, in any of the pages' data. What such a thing leaves out, it has not. */
function linkedData(data: unknown[]): Told | null {
  const things = data
    .flat()
    .flatMap((one) => (isFields(one) && Array.isArray(one['@graph']) ? one['@graph'] : [one]))
    .filter(isFields)
  const place = things.find((one) => plainText(one.name) && ('address' in one || 'telephone' in one))
  if (!place) return null
  const website = plainText(place.url, 2048)
  const isOwn = website === null || (URL.canParse(website) && !isMaps(new URL(website)))
  return {
    title: plainText(place.name, 500),
    address: addressOf(place.address),
    phone: plainText(place.telephone, 50),
    ...(isOwn ? { website } : {}),
  }
}

function addressOf(value: unknown): string | null {
  if (!isFields(value)) return plainText(value, 500)
  const region = [plainText(value.addressRegion), plainText(value.postalCode)].filter(Boolean).join(' ')
  const parts = [plainText(value.streetAddress), plainText(value.addressLocality), region].filter(Boolean)
  return parts.length > 0 ? parts.join(', ').slice(0, 500) : null
}
