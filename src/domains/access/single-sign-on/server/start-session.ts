import { and, eq, isNull, ne } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { noPasswordHash, notArrivedHash } from '#core/secrets/passwords.ts'
import { type UserRole, usersTable } from '#domains/access/schema.ts'
import { hasEmail } from '#domains/access/server/account-names.ts'
import { updateAccount } from '#domains/access/server/accounts.ts'
import { lockSuperAdmins } from '#domains/access/server/can-assign.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { OpenIdIdentity } from '#integrations/openid/openid.ts'
import { singleSignOnIdentitiesTable } from '../schema.ts'

const staffRoles: readonly UserRole[] = ['super_admin', 'admin', 'leads_handler']

const takenError =
  'This account belongs to another identity at the sign-in service. The operator of the installation can reset it by removing its second factors'

/**
 * Starts a session for the staff account of this identity: the one that it signed in to before, or else the one with its verified email,
 * which is bound to the identity from then on. Never creates an account.
 */
export async function startSessionByIdentity(
  { db }: AppContext,
  { issuer, subject, email, isVerified, role }: OpenIdIdentity,
  from: { address: string; userAgent: string | undefined },
) {
  return db.transaction(async (tx) => {
    const mapped = readRole(role)
    // Locks all super admins first, in the same order as every other change to them.
    const superAdmins = mapped ? await lockSuperAdmins(tx) : []
    const { issuer: issuers, subject: subjects, user_id } = singleSignOnIdentitiesTable
    const [bound] = await tx
      .select({ userId: user_id })
      .from(singleSignOnIdentitiesTable)
      .where(and(eq(issuers, issuer), eq(subjects, subject)))
    if (!bound && !isVerified) return { error: 'Your email is not verified at the sign-in service', userId: undefined }
    const isTheirs = and(
      bound ? eq(usersTable.id, bound.userId) : hasEmail(email.trim()),
      ne(usersTable.role, 'customer'),
      usersTable.is_active,
      isNull(usersTable.deleted_at),
    )
    const [user] = await tx
      .select({ id: usersTable.id, role: usersTable.role, password_hash: usersTable.password_hash })
      .from(usersTable)
      .where(isTheirs)
      .for('update')
    if (!user) return { error: 'There is no account with your email here', userId: undefined }
    if (!bound && !(await bindIdentity(tx, user.id, { issuer, subject })))
      return { error: takenError, userId: undefined }
    // An invited person who signs on this way has arrived, without a password.
    if (user.password_hash === notArrivedHash)
      await tx.update(usersTable).set({ password_hash: noPasswordHash }).where(eq(usersTable.id, user.id))
    if (mapped && mapped !== user.role) await changeRole(tx, superAdmins, user, mapped)
    return { userId: user.id, token: await startSession(tx, user.id, 'single_sign_on', from.address, from.userAgent) }
  })
}

/** Returns false if the account is bound to another identity of this issuer, or this identity to another account in the same moment. */
async function bindIdentity(tx: Tx, userId: number, identity: Pick<OpenIdIdentity, 'issuer' | 'subject'>) {
  const made = await tx
    .insert(singleSignOnIdentitiesTable)
    .values({ ...identity, user_id: userId })
    .onConflictDoNothing()
    .returning({ id: singleSignOnIdentitiesTable.user_id })
  if (made.length === 0) return false
  const change = { before: { single_sign_on: 'not used' }, after: { single_sign_on: 'bound to its identity' } }
  await writeAudit(tx, { me: null }, { kind: 'user', rowId: userId, ...change })
  return true
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
