import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Tx } from '#core/db/db.ts'
import { buildLoosePersonPattern, buildPersonHints, buildPersonPattern } from '#core/erasure/person-pattern.ts'
import { type ErasedPerson, findMentions, type PersonalData, type PersonSearch } from '#core/erasure/personal-data.ts'
import { HttpError } from '#core/http/errors.ts'
import { findLeadsOfPerson, findSpammersOfPerson, personalLeadFields, toPhoneKey } from '#domains/leads/public.ts'
import { erasureMessages } from '../contract.ts'

/** Phone and email as typed; blank if there is none. */
export type PersonAddress = { phone: string; email: string }

/** Returns the person with the rows about them. Throws 422 if phone and email do not identify anyone. */
export async function findPerson(tx: Tx, { phone, email }: PersonAddress, data: readonly PersonalData[]) {
  const phoneKey = toPhoneKey(phone || null)
  // Fewer digits would match almost anything.
  if (phone !== '' && (phoneKey ?? '').replace(/\D/g, '').length < 7)
    throw new HttpError(422, erasureMessages.phone, { phone: [erasureMessages.phone] })
  if (!phoneKey && email === '') throw new HttpError(422, erasureMessages.nobody, { phone: [erasureMessages.nobody] })
  const keys = { phones: phoneKey ? [phoneKey] : [], emails: email === '' ? [] : [email.toLowerCase()] }
  const names = { phones: keys.phones.map(splitPhone), emails: keys.emails }
  const search: PersonSearch = {
    pattern: buildPersonPattern(names),
    loosePattern: buildLoosePersonPattern(names),
    hints: buildPersonHints(names),
  }
  const mentions = await findMentions(tx, search, data) // takes longest; leads that arrive in the meantime are found below
  const leads = await findLeadsOfPerson(tx, keys, { ...search, mentions })
  const records: ErasedPerson['records'] = [
    { kind: 'lead', ids: leads.map(({ id }) => id), fields: personalLeadFields },
  ]
  const spammers = await findSpammersOfPerson(tx, search)
  const person: ErasedPerson = {
    ...search,
    mentions,
    records: [
      ...records,
      { kind: 'spammer', ids: spammers.map(({ id }) => id), fields: ['name', 'phone', 'email', 'phone_key'] },
    ],
  }
  const known = new Set<string | null>([...keys.phones, ...keys.emails])
  const also = new Set(
    leads.flatMap(({ phone_key, email_key }) => [phone_key, email_key]).filter((one) => one !== null),
  )
  return { person, leads, also: [...also].filter((one) => !known.has(one)) }
}

function splitPhone(key: string) {
  const number = parsePhoneNumberFromString(key)
  return number
    ? { callingCode: String(number.countryCallingCode), national: String(number.nationalNumber) }
    : { callingCode: '', national: key.replace(/\D/g, '') }
}
