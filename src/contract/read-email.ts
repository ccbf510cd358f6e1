import { z } from 'zod'
import { cleanText } from './clean-text.ts'

/** What a form's field for an email holds. */
type ReadEmail = {
  /** The first valid address. */
  address: string | null
  /** The same, if it is the only one: beside it stands a name at most. */
  only: string | null
  /** Whether there is more to read than the address. */
  hasMore: boolean
}

/**
 * Reads `Mary <mary@sue.example>`, `mailto:` links, addresses with a trailing dot, in quotes or full width, and the first of several. An
 * international domain is as mail is sent to it and browsers' forms send it, in Punycode.
 */
export function readEmail(text: string): ReadEmail {
  const tidy = cleanText(text.normalize('NFKC')).replace(smartApostrophe, "'").replace(ideographicDot, '.')
  const found = [...tidy.matchAll(addressPattern)].map(([one]) => toMailAddress(trimAddress(one)))
  const address = found.find((one) => addressSchema.safeParse(one).success) ?? null
  const isOnly = found.every((one) => one.toLowerCase() === address?.toLowerCase())
  const rest = (address === null ? tidy : tidy.replaceAll(address, ' ')).replace(linkScheme, ' ')
  return { address, only: isOnly ? address : null, hasMore: /[\p{L}\p{N}]/u.test(rest) }
}

/** Splits a text into its addresses, each still as mail programs write it: `Roof, Joan <joan@roof.example>, bob@roof.example; ann@roof.example`. */
export const splitAddresses = (text: string): string[] =>
  text.split(betweenAddresses).flatMap((one) => cleanText(one) || [])

/** A comma may stand inside a name, which an address in brackets follows. */
const betweenAddresses = /[;\r\n]|(?<=@[^\s,;<>]+>?\s*),|,(?![^@<,;]*<)/

export const emailMessage = 'Email is not valid'
const plainLettersMessage = 'Only plain letters without accents can stand before the @'

/** An address that mail can be sent to. No label of a host ends with a hyphen. */
export const addressSchema = z
  .email({
    pattern:
      /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/,
    error: ({ input }) => (/[^\0-\x7f].*@/.test(String(input)) ? plainLettersMessage : emailMessage),
  })
  .max(254, emailMessage)
/**
 * A name in letters and digits that goes on with another sign of names is not cut short, nor where a comma may stand for a dot:
 * `mary,sue@sue.example` is not surely sue's, and `mary@sue.co,uk` not at sue.co.
 */
const addressPattern =
  /(?<!&#?\w{1,8};)(?<!(?:^|\s)\p{L}[\p{L}._-]*,)(?<![^\s,;:|<>()[\]{}"“”„«»\\/])[^\s,;:|<>()[\]{}"“”„«»\\/@]+@[\p{L}\p{M}\p{N}.-]+(?![\p{L}\p{M}\p{N}.@_-]|,[a-z]{2,3}$)/gu

/** A phone's keyboard puts it into o'brien@…, an ideographic one the other into a domain. */
const smartApostrophe = /(?<=[\p{L}\p{N}])[\u2018\u2019\u02bc](?=[\p{L}\p{N}._+-]*@)/gu
const ideographicDot = /(?<=@[\p{L}\p{N}.-]*)\u3002/gu

const linkScheme = /\b(?:mailto|e-?mail|smtp)\s*[:=](?:\/\/)?/gi

function toMailAddress(address: string): string {
  const host = address.slice(address.lastIndexOf('@') + 1)
  const url = `http://${host}`
  const isInternational = /[^\0-\x7f]/.test(host) && !/(?:^|\.)-|-(?:\.|$)/.test(host) && URL.canParse(url)
  return isInternational ? address.replace(/[^@]+$/, new URL(url).hostname) : address
}

/** Cuts off what stands around an address: the scheme of a link, the end of a sentence, quotes. */
const trimAddress = (text: string) => text.replace(linkScheme, '').replace(/^[.,:'‘’`/*]+|[.,:!'‘’`/*]+$/g, '')
