import { and, eq, sql } from 'drizzle-orm'
import type { BodyOf } from '#contract/endpoint.ts'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict } from '#core/http/errors.ts'
import { closeAccount, openAccount } from '#domains/access/server/accounts.ts'
import { canAssign } from '#domains/access/server/can-assign.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import type { clients as contract } from '../contract.ts'
import { clients } from '../schema.ts'
import { readClient } from './queries.ts'

export const kind = 'client'
/** Where the form has the account's names. */
export const account = 'user'

type NewClient = Omit<BodyOf<typeof contract.create>, 'password'> & { password_hash: string; password?: string }

/** A client and its login account; answers the client's id. A name that somebody has is a 409 at its field. */
export async function makeClient(tx: Tx, actor: Actor, client: NewClient): Promise<number> {
  const { user, password: _, password_hash, disable_notifications, ...rest } = client
  const values = { ...rest, disable_notifications: disable_notifications === 1 }
  const [made] = await tx.insert(clients).values(values).returning({ id: clients.id })
  await record(tx, actor, { kind, rowId: made!.id, before: null, after: values })
  await openAccount(tx, actor, { ...user, password_hash, role: 'customer', client_id: made!.id }, account)
  return made!.id
}

/** The client goes out of sight and its account is closed; one with an active campaign stays. */
export async function removeClient(tx: Tx, { me, actor }: { me: Me; actor: Actor }, id: number) {
  const { name, user } = await clientToChange(tx, me, id)
  const running = await tx.$count(campaigns, and(eq(campaigns.client_id, id), eq(campaigns.archived, false)))
  if (running === 1) throw conflict('This client has an active campaign: archive it first')
  if (running > 1) throw conflict(`This client has ${running} active campaigns: archive them first`)
  await tx.update(clients).set({ deleted_at: sql`now()` }).where(eq(clients.id, id))
  await record(tx, actor, { kind, rowId: id, before: { name }, after: null })
  if (user) await closeAccount(tx, actor, user.id)
}

/**
 * The client, locked until the change is done: 404 for who sees none of its campaigns. Its account serves all of them, so
 * whoever changes it must hold them all.
 */
export async function clientToChange(tx: Tx, me: Me, id: number) {
  await tx.select({ id: clients.id }).from(clients).where(eq(clients.id, id)).for('update')
  const client = await readClient(tx, me, id)
  const held = await tx.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.client_id, id))
  const holder = {
    id: client.user?.id ?? 0,
    role: 'customer',
    pages: [],
    campaigns: held.map((one) => one.id),
  } as const
  canAssign(me, holder, { password: true })
  return client
}
