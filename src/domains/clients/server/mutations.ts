import { and, eq, sql } from 'drizzle-orm'
import type { BodyOf } from '#contract/endpoint.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { toColumnValues } from '#core/db/field-columns.ts'
import { conflictError, HttpError, reauthenticationError } from '#core/http/errors.ts'
import { assertCanAssign, type CurrentUser, closeAccount, createAccount } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { clientsContract } from '../contract.ts'
import { clientFields } from '../fields.ts'
import { clientsTable } from '../schema.ts'
import { readClient } from './queries.ts'

export const clientAuditKind = 'client'
/** The form's group with the account's names. */
export const accountFieldPrefix = 'user'

type ClientBody = BodyOf<typeof clientsContract.create>
type ClientValues = Omit<ClientBody, 'user' | 'password' | 'invite'>
type NewAccountNames = ClientBody['user'] & { is_active?: boolean }
type NewClientValues = ClientValues & { user: NewAccountNames; password_hash: string; password?: string }

/**
 * What a client signs in with, or gets the link of a new password by, lets in who sets it: not a key, whose holder would stay in when it has
 * ended.
 */
export function assertMaySetAccount(me: CurrentUser): void {
  if (me.key) throw new HttpError(403, 'An API key may not make or change what a client signs in with')
  if (me.isProofOld) throw reauthenticationError()
}

/** Creates a client and its login account; returns the client's id. Throws 409 at the field of a taken name. */
export async function createClient(tx: Tx, actor: AuditActor, client: NewClientValues): Promise<number> {
  const { user, password_hash, ...form } = client
  const client_id = await addClient(tx, actor, form)
  await createAccount(tx, actor, { ...user, password_hash, role: 'customer', client_id }, accountFieldPrefix)
  return client_id
}

/** Creates a client without an account, which its first complete edit makes; returns its id. */
export async function addClient(tx: Tx, actor: AuditActor, client: ClientValues): Promise<number> {
  const values = toColumnValues(clientFields, clientsTable, client)
  const [made] = await tx.insert(clientsTable).values(values).returning({ id: clientsTable.id })
  await writeAudit(tx, actor, { kind: clientAuditKind, rowId: made!.id, before: null, after: values })
  return made!.id
}

/** Soft-deletes the client and closes its account. Throws if the client has an active campaign. */
export async function removeClient(tx: Tx, { me, actor }: { me: CurrentUser; actor: AuditActor }, id: number) {
  const { name, user } = await lockClient(tx, me, id)
  const running = await tx.$count(
    campaignsTable,
    and(eq(campaignsTable.client_id, id), eq(campaignsTable.archived, false)),
  )
  if (running === 1) throw conflictError('This client has an active campaign: archive it first')
  if (running > 1) throw conflictError(`This client has ${running} active campaigns: archive them first`)
  await tx.update(clientsTable).set({ deleted_at: sql`now()` }).where(eq(clientsTable.id, id))
  await writeAudit(tx, actor, { kind: clientAuditKind, rowId: id, before: { name }, after: null })
  if (user) await closeAccount(tx, actor, user.id)
}

/**
 * Locks and returns the client; throws 404 if this person sees none of its campaigns. The account serves all campaigns,
 * so changing it takes access to all of them.
 */
export async function lockClient(tx: Tx, me: CurrentUser, id: number) {
  await tx.select({ id: clientsTable.id }).from(clientsTable).where(eq(clientsTable.id, id)).for('update')
  const client = await readClient(tx, me, id)
  const held = await tx.select({ id: campaignsTable.id }).from(campaignsTable).where(eq(campaignsTable.client_id, id))
  const holder = {
    id: client.user?.id ?? 0,
    role: 'customer',
    pages: [],
    campaigns: held.map((one) => one.id),
  } as const
  assertCanAssign(me, holder, { password: true })
  return client
}
