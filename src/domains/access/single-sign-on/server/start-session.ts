import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { getDummyHash, notArrivedHash } from '#core/secrets/passwords.ts'
import { type UserRole, usersTable } from '#domains/access/schema.ts'
import { hasEmail } from '#domains/access/server/account-names.ts'
import { updateAccount } from '#domains/access/server/accounts.ts'
import { lockSuperAdmins } from '#domains/access/server/can-assign.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { OpenIdIdentity } from '#integrations/openid/openid.ts'

const staffRoles: readonly UserRole[] = ['super_admin', 'admin', 'leads_handler']

/** Starts a session for the staff account with the provider's verified email; never creates an account. */
export async function startSessionByEmail(
  { db }: AppContext,
  { email, isVerified, role }: OpenIdIdentity,
  from: { address: string; userAgent: string | undefined },
) {
  if (!isVerified) return { error: 'Your email is not verified at the sign-in service', userId: undefined }
  return db.transaction(async (tx) => {
    const mapped = readRole(role)
    // Locks all super admins first, in the same order as every other change to them.
    const superAdmins = mapped ? await lockSuperAdmins(tx) : []
    const isTheirs = and(
      hasEmail(email.trim()),
      ne(usersTable.role, 'customer'),
      usersTable.is_active,
      isNull(usersTable.deleted_at),
    )
    // Whoever was invited has arrived, without a password.
    await tx
      .update(usersTable)
      .set({ password_hash: await getDummyHash() })
      .where(and(isTheirs, eq(usersTable.password_hash, notArrivedHash)))
    const [user] = await tx
      .select({ id: usersTable.id, role: usersTable.role })
      .from(usersTable)
      .where(isTheirs)
      .for(mapped ? 'update' : 'share')
    if (!user) return { error: 'There is no account with your email here', userId: undefined }
    if (mapped && mapped !== user.role) await changeRole(tx, superAdmins, user, mapped)
    return { userId: user.id, token: await startSession(tx, user.id, 'single_sign_on', from.address, from.userAgent) }
  })
}

/** The claim is one of our roles, or a list that contains one; anything else maps to no role. */
function readRole(claim: unknown): UserRole | null {
  const named = Array.isArray(claim) ? claim : [claim]
  return staffRoles.find((role) => named.includes(role)) ?? null
}

/** The last super admin keeps the role, whatever the provider says. */
async function changeRole(
  tx: Tx,
  superAdmins: readonly number[],
  user: { id: number; role: UserRole },
  role: UserRole,
) {
  const isLast = user.role === 'super_admin' && superAdmins.every((id) => id === user.id)
  if (!isLast) await updateAccount(tx, { me: null }, user.id, { role })
}
