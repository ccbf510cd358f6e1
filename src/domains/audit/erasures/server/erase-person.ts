import { randomUUID } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { sql } from 'drizzle-orm'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import { type Db, runTransaction, type Tx } from '#core/db/db.ts'
import { buildLoosePersonPattern, buildPersonHints, buildPersonPattern } from '#core/erasure/person-pattern.ts'
import { type ErasedPerson, findMentions, type PersonalData, type PersonSearch } from '#core/erasure/personal-data.ts'
import { conflictError, HttpError } from '#core/http/errors.ts'
import type { SecretBox } from '#core/secrets/secrets.ts'
import { findLeadsOfPerson, findSpammersOfPerson, personalLeadFields, toPhoneKey } from '#domains/leads/public.ts'
import { erasureMessages } from '../contract.ts'
import { erasurePersonAad, erasuresTable } from '../schema.ts'

type ErasureOptions = {
  actor: AuditActor
  /** The rehearsal's total; throws 409 if it has changed. Omitted for a replay. */
  total?: number
  /** Set when an erasure is replayed. */
  listKey?: string
}
export type DoneErasure = typeof erasuresTable.$inferSelect

/** `personalData` is everything that may hold data of people outside the agency. */
export type ErasureContext = { db: Db; secrets: SecretBox; personalData: readonly PersonalData[] }

/** Erases a person from everything, in one transaction, and records the erasure. */
export const erasePerson = (
  context: ErasureContext,
  person: PersonAddress,
  options: ErasureOptions,
): Promise<DoneErasure> =>
  runTransaction(context.db, async (tx) => (await eraseWithin(tx, context, person, options)).erasure)

/** Returns what an erasure would do, by running it and rolling back. */
export async function rehearseErasure(context: ErasureContext, person: PersonAddress) {
  let found: Awaited<ReturnType<typeof eraseWithin>> | undefined
  await runTransaction(context.db, async (tx) => {
    found = await eraseWithin(tx, context, person, { actor: { me: null } })
    tx.rollback()
  }).catch((error: unknown) => {
    if (!found) throw error
  })
  return found!
}

export const sumCounts = (counts: Record<string, number>) => Object.values(counts).reduce((sum, rows) => sum + rows, 0)

async function eraseWithin(
  tx: Tx,
  { secrets, personalData }: ErasureContext,
  address: PersonAddress,
  options: ErasureOptions,
) {
  const { actor, total, listKey = randomUUID() } = options
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('erasing a person'))`)
  const { person, leads, also } = await findPerson(tx, address, personalData)
  const [begun] = await tx
    .insert(erasuresTable)
    .values({
      list_key: listKey,
      person: secrets.seal(JSON.stringify(address), erasurePersonAad(listKey)),
      counts: {},
      user_id: actor.me?.id ?? null,
      username: actor.me?.username ?? null,
    })
    .returning()
  await tx.execute(sql`select set_config('leadline.erasure', ${String(begun!.id)}, true)`)
  const counts: Record<string, number> = {}
  for (const { label, erase } of personalData) counts[label] = await erase(tx, person, secrets)
  if (total !== undefined && total !== sumCounts(counts)) throw conflictError(erasureMessages.changed)
  const [erasure] = await tx.update(erasuresTable).set({ counts }).where(sql`id = ${begun!.id}`).returning()
  await writeAudit(tx, actor, { kind: 'erasure', rowId: erasure!.id, before: null, after: counts })
  return { erasure: erasure!, leads, also }
}

/** Phone and email as typed; blank if there is none. */
type PersonAddress = { phone: string; email: string }

/** Returns the person with the rows about them. Throws 422 if phone and email do not identify anyone. */
async function findPerson(tx: Tx, { phone, email }: PersonAddress, data: readonly PersonalData[]) {
  const phoneKey = toPhoneKey(phone || null)
  // Fewer digits would match almost anything.
  if (phone !== '' && (phoneKey ?? '').replace(/\D/g, '').length < 7)
    throw new HttpError(422, erasureMessages.phone, { phone: [erasureMessages.phone] })
  if (!phoneKey && email === '') throw new HttpError(422, erasureMessages.nobody, { phone: [erasureMessages.nobody] })
  const keys = { phones: phoneKey ? [phoneKey] : [], emails: email === '' ? [] : [email.toLowerCase()] }
  const names = { phones: keys.phones.map(splitPhone), emails: keys.emails.flatMap(spellDomain) }
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

/** Returns the address as it is stored, and as its person writes it: what was sent may hold an international domain in letters. */
const spellDomain = (email: string) => [...new Set([email, email.replace(/[^@]+$/, domainToUnicode)])]

function splitPhone(key: string) {
  const number = parsePhoneNumberFromString(key)
  return number
    ? { callingCode: String(number.countryCallingCode), national: String(number.nationalNumber) }
    : { callingCode: '', national: key.replace(/\D/g, '') }
}
