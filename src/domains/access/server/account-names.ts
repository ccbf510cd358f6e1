import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { readEmail } from '#contract/read-email.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { usersTable } from '../schema.ts'

/** Names in any case. PostgreSQL compares them, as in its unique indexes: JavaScript lowers some letters differently. */

const hasUsername = (name: string): SQL => sql`lower(${usersTable.username}) = lower(${name}::text)`
export const hasEmail = (email: string): SQL =>
  sql`lower(${usersTable.email}) = lower(${readEmail(email).only ?? email}::text)`

/** Matches the accounts with this username or email, except closed ones. */
export const isNamed = (name: string): SQL | undefined =>
  and(or(hasUsername(name), hasEmail(name)), isNull(usersTable.deleted_at))

/** Matches the accounts whose name a person would take for this one: it is spelled as `fold_text` compares, or is their email. */
export const isNamedAlike = (name: string): SQL | undefined =>
  or(
    and(sql`fold_text(${usersTable.username}) = fold_text(${name}::text)`, isNull(usersTable.deleted_at)),
    isNamed(name),
  )

/** Orders the accounts of `isNamed`: a username wins over another account's email. */
export const usernameFirst = (name: string): SQL => sql`(${hasUsername(name)}) desc`

/** Returns what an account's password must not contain: the username, and a client's name. */
export async function readAccountNames(db: DbOrTx, userId: number): Promise<(string | null)[]> {
  const found = await db
    .select({ username: usersTable.username, company: clientsTable.name })
    .from(usersTable)
    .leftJoin(clientsTable, eq(clientsTable.id, usersTable.client_id))
    .where(eq(usersTable.id, userId))
  return found.flatMap(({ username, company }) => [username, company])
}
