import { asc, inArray, or, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { parseKeywords } from '../contract.ts'
import { blacklistTable, spammersTable } from '../schema.ts'

/** Who is known for spam by a phone or email, and the words that are. */
export type SpamSigns = { spammer: string | null; keywords: string[] }
type SpamCandidate = { phoneKey: string | null; email: string | null }

/** What is known against these people; emails are compared case folded. Answers a look-up for each. */
export async function findSpamSigns(
  db: DbOrTx,
  people: SpamCandidate[],
): Promise<(phoneKey: string | null, email: string | null) => SpamSigns> {
  const phones = people.flatMap(({ phoneKey }) => phoneKey ?? [])
  const emails = people.flatMap(({ email }) => email?.toLowerCase() ?? [])
  const known = await db
    .select({
      name: spammersTable.name,
      phone_key: spammersTable.phone_key,
      email: sql<string | null>`lower(${spammersTable.email})`,
    })
    .from(spammersTable)
    .where(or(inArray(spammersTable.phone_key, phones), inArray(sql`lower(${spammersTable.email})`, emails)))
    .orderBy(asc(spammersTable.id))
  const [row] = await db.select({ keywords: blacklistTable.keywords }).from(blacklistTable)
  const keywords = parseKeywords(row?.keywords ?? '')
  return (phoneKey, email) => {
    const found = known.find(
      (one) =>
        (phoneKey !== null && one.phone_key === phoneKey) || (email !== null && one.email === email.toLowerCase()),
    )
    return { spammer: found?.name ?? null, keywords }
  }
}
