import { asc, eq, or, sql } from 'drizzle-orm'
import type { Queries } from '#server/db.ts'
import { blacklist, spammers } from './table.ts'

/** The name of the spammer who has this phone or, case folded, this email; null where nobody has. */
export async function spammerOf(db: Queries, phoneKey: string | null, email: string | null): Promise<string | null> {
  const signs = [
    ...(phoneKey === null ? [] : [eq(spammers.phone_key, phoneKey)]),
    ...(email === null ? [] : [sql`lower(${spammers.email}) = lower(${email})`]),
  ]
  if (signs.length === 0) return null
  const [found] = await db
    .select({ name: spammers.name })
    .from(spammers)
    .where(or(...signs))
    .orderBy(asc(spammers.id))
    .limit(1)
  return found?.name ?? null
}

/** The blacklist's text, a keyword a line. */
export async function blacklistText(db: Queries): Promise<string> {
  const [row] = await db.select({ keywords: blacklist.keywords }).from(blacklist)
  return row?.keywords ?? ''
}
