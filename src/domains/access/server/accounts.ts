import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Flag } from '#contract/allow.ts'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { isDuplicate, notFound, Refusal } from '#core/http/errors.ts'
import { type Role, users } from '../schema.ts'
import { endOtherAccess } from './session-tokens.ts'

/** The accounts of everyone who signs in, whichever page keeps them: admins, leads handlers, customers. */

const kind = 'user'
type Names = { username: string; email: string }
export type NewAccount = Names & {
  password_hash: string
  role: Role
  client_id?: number
  permissions?: Flag[]
}
export type AccountChanges = Partial<
  Names & { password_hash: string; is_active: boolean; role: Role; permissions: Flag[] }
>

/** Opens an account and answers its id; a name that somebody has is a 409 at its field. `group` is where the form has the names. */
export async function openAccount(tx: Tx, actor: Actor, account: NewAccount, group?: string): Promise<number> {
  await refuseOthersNames(tx, account, { group })
  const [made] = await tx.insert(users).values(account).returning({ id: users.id })
  const { password_hash: _, ...shown } = account
  await record(tx, actor, { kind, rowId: made!.id, before: null, after: shown })
  return made!.id
}

/** A new password, another role, or being switched off ends every way in. */
export async function changeAccount(
  tx: Tx,
  actor: Actor,
  id: number,
  after: AccountChanges,
  group?: string,
): Promise<void> {
  if (Object.keys(after).length === 0) return
  await refuseOthersNames(tx, after, { own: id, group })
  const [before] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  if (!before) throw notFound()
  await tx.update(users).set(after).where(eq(users.id, id))
  const { password_hash, ...shown } = after
  const isOther = after.role !== undefined && after.role !== before.role
  if (password_hash !== undefined || after.is_active === false || isOther) await endOtherAccess(tx, id)
  await record(tx, actor, {
    kind,
    rowId: id,
    before: { ...before, password: 'old' },
    after: { ...shown, ...(password_hash === undefined ? {} : { password: 'changed' }) },
  })
}

/** The row stays for the trail and for what hangs on it; its names are free again, and nobody comes in by it. */
export async function closeAccount(tx: Tx, actor: Actor, id: number): Promise<void> {
  const [closed] = await tx
    .update(users)
    .set({ is_active: false, deleted_at: sql`now()` })
    .where(and(eq(users.id, id), isNull(users.deleted_at)))
    .returning({ username: users.username, email: users.email, role: users.role })
  if (!closed) throw notFound()
  await endOtherAccess(tx, id)
  await record(tx, actor, { kind, rowId: id, before: closed, after: null })
}

/** People sign in with either, so a name is nobody else's email, nor the other way round. */
async function refuseOthersNames(
  tx: Tx,
  { username, email }: Partial<Names>,
  { own = 0, group }: { own?: number; group?: string | undefined },
) {
  const isOther = (name: string) =>
    and(
      or(eq(sql`lower(${users.username})`, name.toLowerCase()), eq(sql`lower(${users.email})`, name.toLowerCase())),
      isNull(users.deleted_at),
      ne(users.id, own),
    )
  if (username !== undefined && (await tx.$count(users, isOther(username))) > 0) throw taken('username', group)
  if (email !== undefined && (await tx.$count(users, isOther(email))) > 0) throw taken('email', group)
}

/** Two who take the same name at one moment: the index decides. Around the whole transaction. */
export async function unlessTaken<T>(work: Promise<T>, group?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isDuplicate(error, 'users_username')) throw taken('username', group)
    if (isDuplicate(error, 'users_email')) throw taken('email', group)
    throw error
  }
}

export const takenLines = { username: 'This name is taken', email: 'This email is taken' }
function taken(field: keyof Names, group: string | undefined) {
  return new Refusal(409, takenLines[field], { [group ? `${group}.${field}` : field]: [takenLines[field]] })
}
