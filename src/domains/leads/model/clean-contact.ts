import { cleanText } from '#contract/clean-text.ts'
import { fitsLength } from '#contract/cut-text.ts'
import { dropUnfilledParts } from '#contract/empty-text.ts'
import { foldText } from '#contract/fold-text.ts'
import { readEmail } from '#contract/read-email.ts'
import { readPhone } from '#contract/read-phone.ts'
import { cleanPhone } from './phone-key.ts'

type Contact = {
  lead_name?: string | null
  lead_email?: string | null
  lead_phone?: string | null
  message?: string | null
}

/**
 * Returns the contact of a lead as it is stored, wherever it comes from: of a name what was filled in, of an email field its first valid
 * address, of a phone what `cleanPhone` says. What else the email field holds, or a phone field that holds sentences, stays readable in
 * the message.
 */
export function cleanContact<C extends Contact>(sent: C): C {
  const name = sent.lead_name && dropUnfilledParts(sent.lead_name)
  const { contact, beside } = splitContact(name === sent.lead_name ? sent : { ...sent, lead_name: name || null })
  return beside.length === 0 ? contact : { ...contact, message: appendLines(contact.message ?? null, beside) }
}

/** Does the same for an edit, whose message may be the stored one: `beside` are the lines to append to it. */
export function splitContact<C extends Contact>(sent: C): { contact: C; beside: string[] } {
  const { lead_name, lead_email, lead_phone } = sent
  const { address, beside: emailLine } = splitEmail(lead_email ?? null, lead_name ?? null)
  const { phone, beside: phoneLine } = splitPhone(lead_phone ?? null)
  const contact = {
    ...sent,
    ...(lead_email !== undefined && { lead_email: address }),
    ...(lead_phone !== undefined && { lead_phone: phone }),
  }
  return { contact, beside: [emailLine, phoneLine].filter((line) => line !== null) }
}

/** How the lines in the message begin that keep what an email or phone field held. */
export const emailAsSent = 'Email as sent: '
export const phoneAsSent = 'Phone as sent: '

/** A text without an address is not compared as if it were one: it stays beside it, unless it may be one that only a person reads. */
function splitEmail(text: string | null, name: string | null): { address: string | null; beside: string | null } {
  const tidy = cleanText(decodeLink(text ?? '')).replace(/\s+/g, ' ')
  if (tidy === '') return { address: null, beside: null }
  const { address, hasMore } = readEmail(tidy)
  if (address === null && tidy.includes('@')) return { address: tidy, beside: null }
  const isNameOnly =
    name !== null &&
    address !== null &&
    foldText(tidy.replace(address, '')).replace(/[<>"' ]/g, '') === foldText(name).replace(/[<>"' ]/g, '')
  return { address, beside: hasMore && !isNameOnly ? `${emailAsSent}${tidy}` : null }
}

/** Some forms send the text of a link, encoded once too often: `mary%40sue.example`, `%2B15125550144`. */
const decodeLink = (text: string) => text.replace(/%(?:2b|40|20|28|29|2d)/gi, decodeURIComponent)

/** The longest text that is shown as a phone. */
const phoneLength = 50

/** Returns the first number of a text that is too long for a phone; the whole text stays beside it. */
function splitPhone(text: string | null): { phone: string | null; beside: string | null } {
  const phone = text === null ? null : cleanPhone(decodeLink(text))
  if (phone === null || fitsLength(phone, phoneLength)) return { phone, beside: null }
  const { number, before, after } = readPhone(phone)
  const first = number === null ? null : phone.slice(before.length, phone.length - after.length).trim()
  return { phone: first, beside: `${phoneAsSent}${phone}` }
}

/** A line that is there already stays one: events of the same lead repeat it. */
export const appendLines = (message: string | null, lines: readonly string[]): string | null => {
  const known = message?.split('\n') ?? []
  return [...known, ...lines.filter((line) => !known.includes(line))].join('\n') || null
}
