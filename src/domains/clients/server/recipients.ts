import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { addressSchema } from '#contract/read-email.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { usersTable } from '#domains/access/schema.ts'
import { clientsTable } from '../schema.ts'

/** Whether the account was invited and the invitation is not accepted yet: it is mailed nothing else. */
export const isInvitedSql = sql<boolean>`coalesce(${usersTable.password_hash} = ${notArrivedHash}, false)`
/** Whether the client's account is switched off: the links that the client got are closed. */
export const isSwitchedOffSql = sql<boolean>`${usersTable.is_active} is false`
/** The email of an account; null while it is only invited. */
export const accountEmailSql = sql<string | null>`case when not ${isInvitedSql} then ${usersTable.email} end`

/** Reads the client's addresses without repeats: the account's, then the additional ones. Empty while notifications are disabled. */
export async function readClientRecipients(db: DbOrTx, clientId: number): Promise<string[]> {
  const rows = await db
    .select({ email: accountEmailSql, emails: clientsTable.emails, disabled: clientsTable.disable_notifications })
    .from(clientsTable)
    .leftJoin(usersTable, and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at)))
    .where(and(eq(clientsTable.id, clientId), isNull(clientsTable.deleted_at)))
  return dedupeAddresses(rows.flatMap(({ email, emails, disabled }) => (disabled ? [] : [email ?? '', ...emails])))
}

/** Reads the addresses that get the client's statements: the billing emails, or else the account's. Disabled notifications change nothing. */
export async function readBillingRecipients(db: DbOrTx, clientIds: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await db
    .select({ id: clientsTable.id, email: accountEmailSql, billing: clientsTable.billing_emails })
    .from(clientsTable)
    .leftJoin(usersTable, and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at)))
    .where(and(inArray(clientsTable.id, [...clientIds]), isNull(clientsTable.deleted_at)))
  return new Map(
    rows.map(({ id, email, billing }) => [id, dedupeAddresses(billing.length > 0 ? billing : [email ?? ''])]),
  )
}

/** Removes duplicates, ignoring case, and invalid addresses. */
export function dedupeAddresses(given: string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const address of given.map((text) => text.trim()))
    if (addressSchema.safeParse(address).success && !byFolded.has(address.toLowerCase()))
      byFolded.set(address.toLowerCase(), address)
  return [...byFolded.values()]
}
