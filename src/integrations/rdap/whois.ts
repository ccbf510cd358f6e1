import { shortMonthNames } from '#contract/days.ts'
import type { OutboundClient } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-problem.ts'
import { toPlainText } from '../outbound/plain-text.ts'
import { type DomainRegistration, toRegistryDay } from './registration.ts'

/** Looks a domain up with WHOIS, for registries without RDAP: IANA names the server of the top-level domain, which is then queried. */
export async function lookUpWhois(
  outbound: OutboundClient,
  { WHOIS_SERVER: iana }: { WHOIS_SERVER: string },
  domain: string,
): Promise<DomainRegistration> {
  const tld = domain.slice(domain.lastIndexOf('.') + 1)
  const known = await outbound.converse(...parseServer(iana), tld, { configured: iana })
  const server = /^(?:refer|whois):\s*([\w.-]+(?::\d+)?)\s*$/im.exec(known)?.[1]
  if (!server) throw new OutboundError('unresolved', `No WHOIS server for .${tld} is known`)
  const answer = await outbound.converse(...parseServer(server), domain)
  const found = parseWhois(answer)
  if (isEmpty(found) && (answer.trim() === '' || refusals.test(answer)))
    throw new Error('The WHOIS server refuses to answer so many questions')
  return found
}

const isEmpty = ({ nameservers, ...fields }: DomainRegistration) =>
  nameservers.length === 0 && Object.values(fields).every((value) => value === null)

/** How registries say that they were asked too often, as others have collected it (likexian/whois-parser, DannyCork/python-whois). */
const refusals =
  /\b(?:limit|quota)s?\b[^.\n]{0,60}\b(?:exceed|reach)|\b(?:exceed|reach)ed\b[^.\n]{0,60}\b(?:limit|quota|number|allow)|maximum (?:number of (?:requests|queries)|query rate)|(?:too many|excessive) (?:requests|queries)|quer(?:y limit controls|y frequency too fast)|server too busy|try again later/i

const parseServer = (server: string): [string, number] => {
  const [host = '', port = '43'] = server.split(':')
  return [host, Number(port)]
}

/** Parses a WHOIS response. Registries use different labels; the common ones are known. Ambiguous values stay null. */
export function parseWhois(text: string): DomainRegistration {
  const entries = readEntries(text)
  const all = (words: RegExp) =>
    entries.flatMap(({ name, value }) => (words.test(name) ? (toPlainText(value) ?? []) : []))
  const first = (words: RegExp) => all(words)[0] ?? null
  const servers = all(/^(name ?servers?|nserver|host name)$/i).map((value) =>
    value.split(/\s/)[0]!.toLowerCase().replace(/\.$/, ''),
  )
  return {
    registrar:
      first(/^(registrar|registrar name|sponsoring registrar|registrar handle)$/i)?.replace(/ \[Tag = .*$/, '') ?? null,
    registrant: first(/^(registrant|registrant name|registrant organi[sz]ation|org|holder|owner|person)$/i),
    registered_on: parseStrictDay(
      first(
        /^(creation date|created|created on|created date|registered|registered on|registration date|registration time|domain registration date)$/i,
      ),
    ),
    expires_on: parseStrictDay(
      first(
        /^(registry expiry date|registrar registration expiration date|expiry date|expiration date|expires|expires on|expire date|paid-till|renewal date|expiration time)$/i,
      ),
    ),
    nameservers: [...new Set(servers.filter((server) => server.includes('.')))].slice(0, 13),
  }
}

type Entry = { name: string; value: string }

/**
 * Reads the names of an answer with their values. A value stands behind its name, with dots between in .fi and .no, or on the lines under it,
 * up to an empty one; of those that have names themselves, `Name` and `Organization` tell who it is.
 */
function readEntries(text: string): Entry[] {
  const entries: Entry[] = []
  let last: string | null = null
  let heading: string | null = null
  let isFilled = false // whether something stood under the heading
  for (const whole of text.slice(0, 50_000).split(/\r?\n/)) {
    const line = whole.slice(0, 500)
    const isIndented = /^\s/.test(line)
    const [, written = '', value = ''] = /^\s*([^:]{1,60}):\s*(.*)$/.exec(line) ?? []
    const name = written.trim().replace(/[ .]+$/, '')
    if (line.trim() === '') {
      if (isFilled) heading = null
      last = null
    } else if (name !== '' && value !== '') {
      const isWho = heading !== null && /^(?:name|organi[sz]ation)$/i.test(name)
      entries.push({ name: isWho ? heading! : name, value })
      if (!isWho && !isIndented) heading = null
      last = name
      isFilled = true
    } else if (name !== '' || (isHeading(line) && (heading === null || isFilled))) {
      heading = name || line.trim()
      isFilled = false
    } else if (heading !== null || (isIndented && last !== null)) {
      entries.push({ name: (heading ?? last)!, value: line.trim() })
      isFilled = true
    }
  }
  return entries
}

const isHeading = (line: string) => /^[A-Z][A-Za-z ]{3,30}$/.test(line) // not indented

const monthNames = shortMonthNames.map((name) => name.toLowerCase())

/** Parses only unambiguous dates: 03/04/2027 could be two days. */
function parseStrictDay(text: string | null): string | null {
  const [, y1, m1, d1] = text?.match(/^(\d{4})[-./](\d{2})[-./](\d{2})(?!\d)/) ?? []
  const [, d2, name, y2] = text?.match(/^(\d{1,2})[- ]([a-z]{3})[a-z]*[- ](\d{4})/i) ?? []
  const [, d3, m3, y3] = text?.match(/^(\d{1,2})\.(\d{1,2})\.(\d{4})/) ?? []
  const [, name4, d4, y4] = text?.match(/^[a-z]{3},? ([a-z]{3}) +(\d{1,2}) (\d{4})$/i) ?? []
  const named = name ?? name4
  const month = named === undefined ? (m1 ?? m3) : String(monthNames.indexOf(named.toLowerCase()) + 1)
  const parts = [y1 ?? y2 ?? y3 ?? y4, month, d1 ?? d2 ?? d3 ?? d4]
  if (parts.some((part) => part === undefined)) return null
  const day = parts.map((part) => part!.padStart(2, '0')).join('-')
  return toRegistryDay(new Date(`${day}T00:00:00Z`)) === day ? day : null
}
