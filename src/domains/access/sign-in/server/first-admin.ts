import { or, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { conflictError } from '#core/http/errors.ts'
import { hashPassword } from '#core/secrets/passwords.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import { firstAdminEmail } from '#domains/access/labels.ts'
import { usersTable } from '#domains/access/schema.ts'
import { isNamed } from '#domains/access/server/account-names.ts'
import type { AppContext } from '#domains/app-context.ts'

/**
 * Creates `admin` if there is no super admin yet, with ADMIN_PASSWORD or a password that is printed once. Processes
 * that start together create only one. Throws 409 if another account has the name or the email.
 */
export async function createFirstAdmin({ db, settings }: AppContext): Promise<void> {
  const exists = sql`select 1 from users where role = 'super_admin' and deleted_at is null`
  if ((await db.execute(exists)).rows.length > 0) return
  const password = settings.ADMIN_PASSWORD ?? randomToken(128)
  const password_hash = await hashPassword(password)
  const made = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table users in exclusive mode`)
    if ((await tx.execute(exists)).rows.length > 0) return false
    const [other] = await tx
      .select({ username: usersTable.username })
      .from(usersTable)
      .where(or(isNamed('admin'), isNamed(firstAdminEmail)))
    if (other)
      throw conflictError(
        `There is an account ${other.username}, but no super admin: npx leadline user grant-super NAME makes one, or user add with --role super-admin`,
      )
    const [admin] = await tx
      .insert(usersTable)
      .values({ username: 'admin', email: firstAdminEmail, password_hash, role: 'super_admin' })
      .returning({ id: usersTable.id })
    if (admin)
      await writeAudit(
        tx,
        { me: null },
        { kind: 'user', rowId: admin.id, before: null, after: { username: 'admin', role: 'super_admin' } },
      )
    return true
  })
  if (made && !settings.ADMIN_PASSWORD)
    process.stdout.write(
      `\nFirst start: sign in as admin with the password ${password}\nIt is shown only once; change it under your name in the top bar.\n\n`,
    )
}
