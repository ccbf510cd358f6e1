import { cleanText } from '#contract/clean-text.ts'
import { foldText } from '#contract/fold-text.ts'
import { readEmail } from '#contract/read-email.ts'
import { cleanPhone } from './phone-key.ts'

type Contact = {
  lead_name?: string | null
  lead_email?: string | null
  lead_phone?: string | null
  message?: string | null
}

/**
 * Returns the contact of a lead as it is stored, wherever it comes from: of an email field its first valid address, of a phone what
 * `cleanPhone` says. What else the email field holds stays readable in the message.
 */
export function cleanContact<C extends Contact>(sent: C): C {
  const { contact, beside } = splitContact(sent)
  return beside === null ? contact : { ...contact, message: appendLine(contact.message ?? null, beside) }
}

/** Does the same for an edit, whose message may be the stored one: `beside` is the line to append to it, or null. */
export function splitContact<C extends Contact>(sent: C): { contact: C; beside: string | null } {
  const { lead_name, lead_email, lead_phone } = sent
  const { address, beside } = splitEmail(lead_email ?? null, lead_name ?? null)
  const contact = {
    ...sent,
    ...(lead_email !== undefined && { lead_email: address }),
    ...(lead_phone !== undefined && { lead_phone: lead_phone === null ? null : cleanPhone(lead_phone) }),
  }
  return { contact, beside }
}

/** How the line in the message begins that keeps what an email field held. */
export const emailAsSent = 'Email as sent: '

/** A text without an address is not compared as if it were one: it stays beside it, unless it may be one that only a person reads. */
function splitEmail(text: string | null, name: string | null): { address: string | null; beside: string | null } {
  const tidy = cleanText(text ?? '').replace(/\s+/g, ' ')
  if (tidy === '') return { address: null, beside: null }
  const { address, hasMore } = readEmail(tidy)
  if (address === null && tidy.includes('@')) return { address: tidy, beside: null }
  const isNameOnly =
    name !== null &&
    address !== null &&
    foldText(tidy.replace(address, '')).replace(/[<>"' ]/g, '') === foldText(name).replace(/[<>"' ]/g, '')
  return { address, beside: hasMore && !isNameOnly ? `${emailAsSent}${tidy}` : null }
}

/** A line that is there already stays one: events of the same lead repeat it. */
export const appendLine = (message: string | null, line: string): string =>
  message === null ? line : message.split('\n').includes(line) ? message : `${message}\n${line}`
