import { asc, inArray, or, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { keywordsOf } from '../contract.ts'
import { blacklist, spammers } from '../schema.ts'

/** Who is known for spam by a phone or email, and the words that are. */
export type SpamSigns = { spammer: string | null; keywords: string[] }
type Person = { phoneKey: string | null; email: string | null }

/** What is known against these people; emails are compared case folded. Answers a look-up for each. */
export async function spamSigns(
  db: Queries,
  people: Person[],
): Promise<(phoneKey: string | null, email: string | null) => SpamSigns> {
  const phones = people.flatMap(({ phoneKey }) => phoneKey ?? [])
  const emails = people.flatMap(({ email }) => email?.toLowerCase() ?? [])
  const known = await db
    .select({ name: spammers.name, phone_key: spammers.phone_key, email: sql<string | null>`lower(${spammers.email})` })
    .from(spammers)
    .where(or(inArray(spammers.phone_key, phones), inArray(sql`lower(${spammers.email})`, emails)))
    .orderBy(asc(spammers.id))
  const [row] = await db.select({ keywords: blacklist.keywords }).from(blacklist)
  const keywords = keywordsOf(row?.keywords ?? '')
  return (phoneKey, email) => {
    const found = known.find(
      (one) =>
        (phoneKey !== null && one.phone_key === phoneKey) || (email !== null && one.email === email.toLowerCase()),
    )
    return { spammer: found?.name ?? null, keywords }
  }
}
