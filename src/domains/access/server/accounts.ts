import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { PermissionFlag } from '#contract/allow.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError, isUniqueViolation, notFoundError } from '#core/http/errors.ts'
import { apiKeysTable } from '../keys/schema.ts'
import { type UserRole, usersTable } from '../schema.ts'
import { singleSignOnIdentitiesTable } from '../single-sign-on/schema.ts'
import { isNamed, isNamedAlike } from './account-names.ts'
import { endPasswordLinks, revokeOtherAccess } from './session-tokens.ts'

/** The accounts of everyone who signs in, whichever page manages them: admins, leads handlers, customers. */

const accountAuditKind = 'user'
type AccountNames = { username: string; email: string }
type NewAccount = AccountNames & {
  password_hash: string
  role: UserRole
  client_id?: number
  is_active?: boolean
  permissions?: PermissionFlag[]
}
export type AccountChanges = Partial<
  AccountNames & { password_hash: string; is_active: boolean; role: UserRole; permissions: PermissionFlag[] }
>

/** Creates an account and returns its id; throws 409 at the field of a taken name. `group` is the form's group of name fields. */
export async function createAccount(tx: Tx, actor: AuditActor, account: NewAccount, group?: string): Promise<number> {
  await assertNamesAvailable(tx, account, { group })
  const [made] = await tx.insert(usersTable).values(account).returning({ id: usersTable.id })
  const { password_hash: _, ...shown } = account
  await writeAudit(tx, actor, { kind: accountAuditKind, rowId: made!.id, before: null, after: shown })
  return made!.id
}

/** A new password, a new role, or deactivation revokes all access. */
export async function updateAccount(
  tx: Tx,
  actor: AuditActor,
  id: number,
  after: AccountChanges,
  group?: string,
): Promise<void> {
  if (Object.keys(after).length === 0) return
  const [before] = await tx.select().from(usersTable).where(eq(usersTable.id, id)).for('update')
  if (!before) throw notFoundError()
  // What stays as it is may be like another's: names were once told apart by their letters.
  const username = after.username === before.username ? undefined : after.username
  await assertNamesAvailable(tx, { username, email: after.email }, { own: id, group })
  // A form with the old names, or with pages that the other role may not hold, is stale now.
  const outdatesForms = (['username', 'email', 'role'] as const).some(
    (name) => (after[name] ?? before[name]) !== before[name],
  )
  await tx
    .update(usersTable)
    .set({ ...after, ...(outdatesForms && { version: before.version + 1 }) })
    .where(eq(usersTable.id, id))
  const { password_hash, ...shown } = after
  const isOther = after.role !== undefined && after.role !== before.role
  if (password_hash !== undefined || after.is_active === false || isOther) await revokeOtherAccess(tx, id)
  if (password_hash !== undefined) await endPasswordLinks(tx, id)
  // The account may have been given to someone else: what was mailed to the old address opens it no more.
  if (after.email !== undefined && after.email.toLowerCase() !== before.email.toLowerCase()) {
    await unbindIdentities(tx, id)
    await endPasswordLinks(tx, id)
  }
  await writeAudit(tx, actor, {
    kind: accountAuditKind,
    rowId: id,
    before: { ...before, password: 'old' },
    after: { ...shown, ...(password_hash === undefined ? {} : { password: 'changed' }) },
  })
}

/** Soft-deletes the row, which the audit log and other rows refer to. Its names become free and all access ends. */
export async function closeAccount(tx: Tx, actor: AuditActor, id: number): Promise<void> {
  const [closed] = await tx
    .update(usersTable)
    .set({ is_active: false, deleted_at: sql`now()` })
    .where(and(eq(usersTable.id, id), isNull(usersTable.deleted_at)))
    .returning({ username: usersTable.username, email: usersTable.email, role: usersTable.role })
  if (!closed) throw notFoundError()
  await revokeOtherAccess(tx, id)
  await tx.delete(apiKeysTable).where(eq(apiKeysTable.user_id, id))
  await unbindIdentities(tx, id)
  await writeAudit(tx, actor, { kind: accountAuditKind, rowId: id, before: closed, after: null })
}

const unbindIdentities = (tx: Tx, id: number) =>
  tx.delete(singleSignOnIdentitiesTable).where(eq(singleSignOnIdentitiesTable.user_id, id))

/** People sign in with either name or email, so a username may not be another account's email, or vice versa. */
async function assertNamesAvailable(
  tx: Tx,
  { username, email }: { [Name in keyof AccountNames]?: string | undefined },
  { own = 0, group }: { own?: number; group?: string | undefined },
) {
  const isTaken = async (match: SQL | undefined) =>
    (await tx.$count(usersTable, and(match, ne(usersTable.id, own)))) > 0
  if (username !== undefined && (await isTaken(isNamedAlike(username)))) throw nameTakenError('username', group)
  if (email !== undefined && (await isTaken(isNamed(email)))) throw nameTakenError('email', group)
}

/** Maps a unique violation, when two requests take the same name at once, to a 409. Wraps the whole transaction. */
export async function mapNameConflict<T>(work: Promise<T>, group?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error, 'users_username')) throw nameTakenError('username', group)
    if (isUniqueViolation(error, 'users_email')) throw nameTakenError('email', group)
    throw error
  }
}

export const nameTakenMessages = { username: 'This name is taken', email: 'This email is taken' }
function nameTakenError(field: keyof AccountNames, group: string | undefined) {
  return new HttpError(409, nameTakenMessages[field], {
    [group ? `${group}.${field}` : field]: [nameTakenMessages[field]],
  })
}
