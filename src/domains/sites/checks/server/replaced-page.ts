import { readHtml } from '#integrations/outbound/read-html.ts'
import type { OutboundResponse } from '#integrations/outbound/response.ts'
import { type ChallengeTraits, findChallenge } from './bot-walls.ts'
import { getRegisteredDomain } from './site-registration.ts'

/**
 * The beginning of a page, where it says what it is: what a server sends before it waits for the first confirmation. More of it arrives
 * where it is compressed.
 */
const mostBytes = { plain: 14_000, compressed: 24_000 }
/** Pages of hosts and domain dealers are short. */
const mostWords = 150

const suspended = 'The host has suspended this site'
const siteExpired = 'The host says that this site has expired'
const domainExpired = 'The domain has expired'
const domainSuspended = 'The registrar has suspended the domain'
const defaultPage = 'The server shows its default page in place of the site'
const fileList = 'The server lists its files in place of the site'
const notInstalled = 'WordPress asks to be installed in place of the site'
const parkedByWords = 'The domain is parked'
const parked = (dealer: string | null) => (dealer ? `The domain is parked at ${dealer}` : 'The domain is for sale')

/**
 * Returns what a host or a domain dealer shows in place of the site, as a sentence, and the wall that asks for a person before it shows the
 * site; null for a page of the site. Where it leads and whose files it loads decide; words only where the page consists of nothing else.
 */
export async function describePage(
  start: string,
  response: OutboundResponse,
): Promise<{ replaced: string | null; wall: string | null }> {
  const led = response.url === start ? null : describeTarget(start, response.url)
  if (led) return { replaced: led, wall: null }
  if ('x-adblock-key' in response.headers) return { replaced: parked('an ad service'), wall: null }
  const type = response.headers['content-type'] ?? 'text/html'
  if (!/html/i.test(type)) return { replaced: null, wall: null }
  const page = await readPage(response)
  return { replaced: describeReplacement(page, start, response.url), wall: findChallenge(toTraits(page)) }
}

/** Returns the wall whose challenge a page is by its beginning, as `findChallenge` does. */
export const findChallengeOfPage = async (page: PageBeginning): Promise<string | null> =>
  findChallenge(toTraits(await readPage(page)))

function describeReplacement(page: ReadPage, start: string, address: string): string | null {
  for (const to of page.leads) {
    const led = URL.canParse(to, address) ? describeTarget(start, new URL(to, address).href) : null
    if (led) return led
  }
  if (page.isAdPage) return parked('an ad service')
  const dealer = page.files.map(({ url }) => findDealerOfFile(url)).find((name) => name !== null)
  if (dealer) return parked(dealer)
  return describeOnlyWords(page, start)
}

const toTraits = ({ title, scripts, files, leads, words }: ReadPage): ChallengeTraits => ({
  title,
  scripts,
  files: [...files.map(({ kind, url }) => `${kind} ${url}`), ...leads.map((to) => `lead ${to}`)],
  isShort: isShort(normalize(words)),
})

// ——— where it leads ———

/** The pages of hosts in place of a suspended site: cPanel, Plesk, DirectAdmin, and iFastNet's free hosts. */
const suspendedPathPattern =
  /^\/(cgi-sys\/suspendedpage\.cgi|cgi-sys\/movingpage\.cgi|suspended\.page|suspendedpage\.html?|account[-_]?suspended(\.\w+|\/)?)/i
/** What cPanel shows for a name that it has no account for. */
const defaultPathPattern = /^\/cgi-sys\/defaultwebpage\.cgi/i
/** WordPress leads everyone there once its settings or its database are gone. */
const installPathPattern = /^(\/[\w-]+)?\/wp-admin\/(install|setup-config)\.php$/i
const suspendedDomains: readonly string[] = ['suspended-website.com', 'suspended-domain.net', 'suspendeddomain.org']

/** Marketplaces and parking services, by registered domain or host. */
const dealers: Readonly<Record<string, string>> = {
  'above.com': 'Above.com',
  'afternic.com': 'Afternic',
  'atom.com': 'Atom',
  'bodis.com': 'Bodis',
  'brandbucket.com': 'BrandBucket',
  'buydomains.com': 'BuyDomains',
  'cashparking.com': 'GoDaddy',
  'dan.com': 'Dan.com',
  'domainmarket.com': 'DomainMarket',
  'domainnamesales.com': 'Uniregistry',
  'dropcatch.com': 'DropCatch',
  'dsparking.com': 'DomainSponsor',
  'efty.com': 'Efty',
  'forsale.godaddy.com': 'GoDaddy',
  'forsale.dynadot.com': 'Dynadot',
  'hugedomains.com': 'HugeDomains',
  'parked.porkbun.com': 'Porkbun',
  'parking.namebright.com': 'NameBright',
  'parking.namesilo.com': 'NameSilo',
  'parkingcrew.net': 'ParkingCrew',
  'parkingpage.namecheap.com': 'Namecheap',
  'parklogic.com': 'ParkLogic',
  'perfectdomain.com': 'PerfectDomain',
  'saw.com': 'Saw.com',
  'sedo.com': 'Sedo',
  'sedoparking.com': 'Sedo',
  'skenzo.com': 'Skenzo',
  'squadhelp.com': 'Atom',
  'undeveloped.com': 'Dan.com',
  'uniregistry.com': 'Uniregistry',
  'voodoo.com': 'Voodoo',
}

function describeTarget(start: string, target: string): string | null {
  const { hostname, pathname, searchParams } = new URL(target)
  const domain = getRegisteredDomain(hostname)
  if (suspendedPathPattern.test(pathname) || (domain && suspendedDomains.includes(domain))) return suspended
  if (defaultPathPattern.test(pathname)) return defaultPage
  if (installPathPattern.test(pathname)) return notInstalled
  const own = getRegisteredDomain(new URL(start).hostname)
  if (domain !== own) {
    const dealer = findDealer(hostname)
    if (dealer) return parked(dealer)
  } else if (hostname !== new URL(start).hostname) {
    // Parking services send visitors to ww16.example.com?subid1=…
    if (/^ww\d{1,2}\./.test(hostname) && (searchParams.has('subid1') || searchParams.has('usid')))
      return parked('an ad service')
  }
  return null
}

const findDealer = (hostname: string): string | null =>
  dealers[hostname] ?? dealers[getRegisteredDomain(hostname) ?? ''] ?? null

// ——— what the page is made of ———

/** Files that only pages of parking services load, besides those from the dealers' own domains. */
const dealerFiles: readonly (readonly [file: RegExp, dealer: string])[] = [
  [/^https?:\/\/img\d?\.wsimg\.com\/parking-lander\//i, 'GoDaddy'],
  [/^https?:\/\/([\w-]+\.)*bodiscdn\.com\//i, 'Bodis'],
  [/^https?:\/\/d38psrni17bvxu\.cloudfront\.net\//i, 'ParkingCrew'],
  [/^https?:\/\/assets\.squarespace\.com\/universal\/[\w-]+\/parking-page-/i, 'Squarespace'],
  [/^https?:\/\/([\w-]+\.)*hugedomains\.com\//i, 'HugeDomains'],
]

/** A site may show a picture of a dealer, but a script, a frame or a style sheet of one is the dealer's page. */
function findDealerOfFile(file: string): string | null {
  const known = dealerFiles.find(([pattern]) => pattern.test(file))
  if (known) return known[1]
  return URL.canParse(file) ? findDealer(new URL(file).hostname) : null
}

type ReadPage = {
  title: string
  headings: string[]
  words: string
  /** Where the page sends its visitors by itself: a refresh, a frame that fills it, or a script that does nothing else. */
  leads: string[]
  files: { kind: 'script' | 'style' | 'frame'; url: string }[]
  /** What is written between the tags of scripts. */
  scripts: string[]
  isAdPage: boolean
}

const leadingScript =
  /^\s*(window\.onload\s*=\s*function\s*\(\)\s*\{\s*)?(window\.|document\.|top\.)?location(\.href)?\s*=\s*["']([^"']+)["'];?\s*\}?;?\s*$/

/** What is read of a response. */
type PageBeginning = { url: string; headers: OutboundResponse['headers']; chunks(): AsyncIterable<Buffer> }

async function readPage(response: PageBeginning): Promise<ReadPage> {
  const page: ReadPage = { title: '', headings: [], words: '', leads: [], files: [], scripts: [], isAdPage: false }
  const inside: string[] = []
  let script = ''
  let bytes = 0
  const most = response.headers['content-encoding'] ? mostBytes.compressed : mostBytes.plain
  async function* beginning() {
    for await (const piece of response.chunks()) {
      yield piece
      bytes += piece.length
      if (bytes >= most) return
    }
  }
  const addFile = (kind: ReadPage['files'][number]['kind'], address: string | undefined) => {
    if (address && URL.canParse(address, response.url))
      page.files.push({ kind, url: new URL(address, response.url).href })
  }
  await readHtml(beginning(), {
    opened(name, attributes) {
      inside.push(name)
      const { src, href, rel, content } = attributes
      if (name === 'html' && attributes['data-adblockkey']) page.isAdPage = true
      if (name === 'script') addFile('script', src)
      if (name === 'iframe') addFile('frame', src)
      if (name === 'link' && rel === 'stylesheet') addFile('style', href)
      if (name === 'frame' && src) page.leads.push(src)
      if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh')
        page.leads.push(...(/^\s*\d+\s*[;,]\s*(?:url\s*=)?\s*["']?([^"']+)/i.exec(content ?? '')?.slice(1) ?? []))
      if (name === 'h1' || name === 'h2') page.headings.push('')
    },
    closed(name) {
      inside.splice(inside.lastIndexOf(name))
      if (name !== 'script') return
      const to = leadingScript.exec(script)?.[4]
      // GoDaddy's parked domains lead to /lander with a script, and nothing else is on the page.
      if (to) page.leads.push(to)
      if (to === '/lander' || /\bLANDER_SYSTEM\s*=|\bwindow\.park\s*=/.test(script)) page.isAdPage = true
      page.scripts.push(script)
      script = ''
    },
    text(text) {
      const at = inside.at(-1)
      if (at === 'script') script += text
      else if (at === 'title') page.title += text
      else if (at !== 'style') page.words += `\n${text}`
      if ((inside.includes('h1') || inside.includes('h2')) && page.headings.length > 0)
        page.headings.push(`${page.headings.pop()}${text}`)
    },
  }).catch(() => {}) // the head of the response has arrived: whatever is wrong with the rest, the site answers
  return page
}

// ——— what it says, if that is all ———

const suspendedTitle =
  /^(this |your )?(account|website|web site|site|hosting account|web hosting account) (has been |is )?(temporarily )?suspended$/
const expiredSite = /^(this |your )?(account|website|web site|site) (has )?expired$/
const ownerWords = /\b(site|account|website) owner\b|\blog ?in\b|\brenew\b/
const suspendedDomain =
  /^(this |your |the )?domain( name)? (has been|is) suspended\b[^.]*$|^contact verification suspension page$/
/** What registrars show of a domain without a site. */
const parkedDomain =
  /^parked domain( name)?( (on|at|by) .+)?$|^(this|the) (domain( name)?|web ?page) (is parked\b.*|(has (just |recently )?been|was) (just |recently |newly )?registered\b.*)$|\bthis web ?page was generated by the domain owner using\b|^future home of something quite cool$/
/** The titles of what servers bring along: nginx, Apache as Linux has it, Plesk, cPanel, IIS. No other page is called so. */
const defaultTitle =
  /^(welcome to nginx|apache2 (ubuntu|debian) default page: it works|(apache )?http server test page powered by:? .+|test page for the (apache )?http server( on .+)?|web server's default page|domain default page|default web ?site page|iis windows( server)?)$/
const hostWords =
  /contact (your|the) (web ?)?host(ing)?( provider| company)?|hosting (provider|account)|cpanel|plesk|\breseller\b|\bbilling\b|owner of th(e|is) (account|website|site)/

/** A page that consists of little else than one sentence to its visitors. */
function describeOnlyWords({ title, headings, words }: ReadPage, start: string): string | null {
  const text = normalize(words)
  const plainTitle = normalize(title).replace(/[.!]$/, '')
  if (defaultTitle.test(plainTitle)) return defaultPage
  if (plainTitle === 'index of /') return fileList
  if (!isShort(text)) return null
  const sentences = [...text.split(/(?<=[.!?]) /), ...words.split(/\n|(?<=[.!?])\s/)]
  const claims = [title, ...headings, ...sentences].map((claim) => normalize(claim).replace(/[.!]$/, ''))
  const own = new URL(start).hostname.replace(/^www\./, '')
  const names = new Set([own, getRegisteredDomain(own) ?? own])
  if (claims.some((claim) => suspendedTitle.test(claim)) && hostWords.test(text)) return suspended
  if (claims.some((claim) => suspendedDomain.test(claim))) return domainSuspended
  if (claims.some((claim) => isExpiredDomain(claim, names))) return domainExpired
  if (claims.some((claim) => expiredSite.test(claim)) && ownerWords.test(text)) return siteExpired
  if (claims.some((claim) => parkedDomain.test(claim))) return parkedByWords
  if (claims.some((claim) => isSaleOfDomain(claim, names))) return parked(null)
  return null
}

const isShort = (text: string) => text.split(' ').length <= mostWords

const normalize = (text: string) =>
  text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()

/** Whether a text says of this domain that it has expired, and nothing else. */
function isExpiredDomain(claim: string, names: ReadonlySet<string>): boolean {
  const [, subject = ''] =
    /^(?:notice: )?(.+?) (?:has |is )?expired(?: on [\d/., a-z-]+?)?(?: and is pending renewal or deletion)?$/.exec(
      claim,
    ) ?? []
  return /^(this |the |your )?domain( name)?$/.test(subject) || names.has(subject.replace(/^www\./, ''))
}

/** Whether a text says of this domain that it is for sale, and nothing else. */
function isSaleOfDomain(claim: string, names: ReadonlySet<string>): boolean {
  const [, subject = ''] =
    /^(.+?),? (?:is|may be|might be) (?:now |currently |available )*for (?:sale|purchase)(?: by .*)?$/.exec(claim) ??
    /^the owner of (.+) is offering it for sale\b/.exec(claim) ??
    []
  const bare = subject.replace(/^(the |this )?(premium )?(domain( name)? |web ?site )?/, '').replace(/^www\./, '')
  return /^(this|the) (premium )?domain( name)?$/.test(subject) || names.has(bare)
}
