import type { ServerResponse } from 'node:http'
import type { ListingSnapshot } from '../public-listing/public-listing.ts'
import { escapeHtml } from './escape-html.ts'
import type { LocalSites, SiteHandler } from './sites.ts'

/** A public listing. Without a phone and a website its page has no linked data, like most pages. */
type PublicListing = ListingSnapshot & { title: string }

type PublicListingsStandIn = {
  /** The listings by cid. Other cids get a page without a place. */
  known: Map<string, PublicListing>
  /** Handles all requests while it is set. */
  instead: SiteHandler | null
  /** The requested cids, in order. */
  requested: string[]
}

export const mapsHosts = ['maps.google.com', 'www.google.com']

/** Adds Google Maps as seen without an account: `maps.google.com` redirects to `www.google.com`, whose pages have data in their heads. */
export function addPublicListings(sites: LocalSites): PublicListingsStandIn {
  const listings: PublicListingsStandIn = { known: new Map(), instead: null, requested: [] }
  const [first, second] = mapsHosts.map((host) => sites.add(host))
  first!.answer = (request, response) =>
    response.writeHead(301, { location: `https://www.google.com${request.url}` }).end()
  second!.answer = (request, response) => {
    const cid = new URL(request.url ?? '/', 'https://www.google.com').searchParams.get('cid') ?? ''
    listings.requested.push(cid)
    if (listings.instead) return listings.instead(request, response)
    return sendListingPage(response, listings.known.get(cid))
  }
  return listings
}

/** Sends the page of a place, or a page without one. */
const sendListingPage = (response: ServerResponse, listing: PublicListing | undefined) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' }).end(renderListingPage(listing))

function renderListingPage(listing: PublicListing | undefined): string {
  const name = listing ? [listing.title, listing.address].filter(Boolean).join(' · ') : 'Google Maps'
  const about = listing
    ? (listing.closed ?? `★★★★☆ · ${listing.category ?? 'Contractor'}`)
    : 'Find local businesses, view maps and get driving directions in Google Maps.'
  return `<!DOCTYPE html><html itemscope itemtype="http://schema.org/Place"><head><title>${escapeHtml(name)} - Google Maps</title>
<meta content="${escapeHtml(name)}" property="og:title"><meta content="Google Maps" property="og:site_name">
<meta content="${escapeHtml(about)}" property="og:description">${renderLinkedData(listing)}</head><body></body></html>`
}

const renderLinkedData = (listing: PublicListing | undefined) =>
  listing?.phone || listing?.website
    ? `<script type="application/ld+json">${JSON.stringify({
        '@type': 'LocalBusiness',
        name: listing.title,
        address: listing.address,
        telephone: listing.phone,
        url: listing.website,
      }).replaceAll('<', '\\u003c')}</script>`
    : ''
