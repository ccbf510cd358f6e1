import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { campaigns } from '#domains/campaigns/table.ts'
import { users } from '#domains/session/table.ts'
import { type Actor, record } from '#server/audit.ts'
import type { Tx } from '#server/db.ts'
import { conflict, invalid, isDuplicate, notFound, Refusal } from '#server/errors.ts'
import { implement } from '#server/implement.ts'
import type { Me } from '#server/me.ts'
import { hashPassword } from '#server/passwords.ts'
import { endOtherAccess, newRemoteToken, remoteTokenOf } from '#server/sessions.ts'
import { clients as contract } from './contract.ts'
import { allClients, clientsPage, readClient } from './reading.ts'
import { clients } from './table.ts'
import { timezones } from './words.ts'

const kind = 'client'

export const clientsCalls = implement(contract, {
  list: ({ db, me, query }) => (query.nopag === undefined ? clientsPage(db, me, query) : allClients(db, me, query)),

  timezones: () => timezones,

  get: ({ db, me, params, house, actor }) =>
    db.transaction(async (tx) => {
      const client = await readClient(tx, me, params.id)
      if (!client.user || !client.may_change) return client
      const remote_token = await remoteTokenOf(tx, house.secrets, client.user.id)
      if (remote_token !== null)
        await record(tx, actor, { kind: 'look at a remote token', rowId: client.user.id, before: null, after: {} })
      return { ...client, user: { ...client.user, remote_token } }
    }),

  create: async ({ db, me, body, actor }) => {
    const { user, password, disable_notifications, ...rest } = body
    const password_hash = await hashPassword(password)
    return unlessTaken(
      db.transaction(async (tx) => {
        const values = { ...rest, disable_notifications: disable_notifications === 1 }
        const [made] = await tx.insert(clients).values(values).returning({ id: clients.id })
        await record(tx, actor, { kind, rowId: made!.id, before: null, after: values })
        await openAccount(tx, actor, made!.id, { ...user, password_hash })
        return readClient(tx, me, made!.id)
      }),
    )
  },

  update: async ({ db, me, params, body, actor }) => {
    const { user, password, disable_notifications, version, ...rest } = body
    const password_hash = password === undefined ? undefined : await hashPassword(password)
    return unlessTaken(
      db.transaction(async (tx) => {
        const before = await clientToChange(tx, me, params.id)
        if (user?.id !== undefined && user.id !== before.user?.id)
          throw invalid({ 'user.id': ['This is not the account of this client'] })
        if (version !== undefined && version < before.version)
          throw conflict('Somebody changed this client meanwhile', { newer: before })
        await changeClient(tx, actor, params.id, {
          ...rest,
          ...(disable_notifications === undefined ? {} : { disable_notifications: disable_notifications === 1 }),
        })
        const { id: _, is_active, ...named } = user ?? {}
        const changes = {
          ...named,
          ...(password_hash === undefined ? {} : { password_hash }),
          ...(is_active === undefined ? {} : { is_active: is_active === 1 }),
        }
        if (before.user) await changeAccount(tx, actor, before.user.id, changes)
        else if (Object.keys(changes).length > 0) await openAccount(tx, actor, params.id, whole(changes))
        return readClient(tx, me, params.id)
      }),
    )
  },

  status: ({ db, me, body, actor }) =>
    db.transaction(async (tx) => {
      const before = await clientToChange(tx, me, body.id)
      if (!before.user) throw notFound()
      await changeAccount(tx, actor, before.user.id, { is_active: body.is_active === 1 })
      return readClient(tx, me, body.id)
    }),

  remove: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const { name, user } = await clientToChange(tx, me, params.id)
      const running = await tx.$count(campaigns, and(eq(campaigns.client_id, params.id), eq(campaigns.archived, false)))
      if (running === 1) throw conflict('This client has an active campaign: archive it first')
      if (running > 1) throw conflict(`This client has ${running} active campaigns: archive them first`)
      await tx.update(clients).set({ deleted_at: sql`now()` }).where(eq(clients.id, params.id))
      await record(tx, actor, { kind, rowId: params.id, before: { name }, after: null })
      if (user) {
        await changeAccount(tx, actor, user.id, { is_active: false })
        await tx.update(users).set({ deleted_at: sql`now()` }).where(eq(users.id, user.id))
      }
      return undefined
    }),

  newRemoteToken: ({ db, me, params, house, actor }) =>
    db.transaction(async (tx) => {
      const [account] = await tx
        .select({ client_id: users.client_id })
        .from(users)
        .where(and(eq(users.id, params.id), eq(users.role, 'customer'), isNull(users.deleted_at)))
      if (!account?.client_id) throw notFound()
      const { user } = await clientToChange(tx, me, account.client_id)
      if (!user?.is_active) throw conflict('This client is not active: switch it on first')
      const token = await newRemoteToken(tx, house.secrets, params.id)
      await record(tx, actor, { kind: 'remote token', rowId: params.id, before: null, after: {} })
      return { token }
    }),
})

/**
 * The client, locked until the change is done. Its account serves all its campaigns, so who changes it must see them all: 403
 * for who sees only some, 404 for who sees none.
 */
async function clientToChange(tx: Tx, me: Me, id: number) {
  await tx.select({ id: clients.id }).from(clients).where(eq(clients.id, id)).for('update')
  const client = await readClient(tx, me, id)
  if (!client.may_change)
    throw new Refusal(403, 'This client has campaigns that are not yours: only who has them all may change it')
  return client
}

type ClientValues = Partial<(typeof clients)['$inferInsert']>

async function changeClient(tx: Tx, actor: Actor, id: number, after: ClientValues) {
  const [before] = await tx.select().from(clients).where(eq(clients.id, id))
  if (!before) throw notFound()
  const version = before.version + 1
  await tx
    .update(clients)
    .set({ ...after, version })
    .where(eq(clients.id, id))
  await record(tx, actor, { kind, rowId: id, before, after, version })
}

type NewAccount = { username: string; email: string; password_hash: string }

async function openAccount(tx: Tx, actor: Actor, client_id: number, account: NewAccount) {
  await refuseOthersNames(tx, account)
  const [made] = await tx
    .insert(users)
    .values({ ...account, role: 'customer', client_id })
    .returning({ id: users.id })
  const { username, email } = account
  await record(tx, actor, { kind: 'user', rowId: made!.id, before: null, after: { username, email, client_id } })
}

/** A client without an account gets one when the form has all that one needs. */
function whole({ username, email, password_hash }: Partial<NewAccount>): NewAccount {
  if (username && email && password_hash) return { username, email, password_hash }
  throw invalid({
    ...(username ? {} : { 'user.username': ['Please input nickname'] }),
    ...(email ? {} : { 'user.email': ['Please enter email'] }),
    ...(password_hash ? {} : { password: ['Please enter password'] }),
  })
}

/** A new password, or none to sign in with any more, ends every way in. */
async function changeAccount(tx: Tx, actor: Actor, id: number, after: Partial<NewAccount & { is_active: boolean }>) {
  if (Object.keys(after).length === 0) return
  await refuseOthersNames(tx, after, id)
  const [before] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  if (!before) throw notFound()
  await tx.update(users).set(after).where(eq(users.id, id))
  const { password_hash, ...shown } = after
  if (password_hash !== undefined || after.is_active === false) await endOtherAccess(tx, id)
  await record(tx, actor, {
    kind: 'user',
    rowId: id,
    before: { ...before, password: 'old' },
    after: { ...shown, ...(password_hash === undefined ? {} : { password: 'changed' }) },
  })
}

const taken = {
  username: () => refusal('user.username', 'This nickname is taken'),
  email: () => refusal('user.email', 'This email is taken'),
}
const refusal = (field: string, line: string) => new Refusal(409, line, { [field]: [line] })

/** People sign in with either, so a nickname is nobody else's email, nor the other way round. */
async function refuseOthersNames(tx: Tx, { username, email }: Partial<NewAccount>, own = 0) {
  const isOther = (name: string) =>
    and(
      or(eq(sql`lower(${users.username})`, name.toLowerCase()), eq(sql`lower(${users.email})`, name.toLowerCase())),
      isNull(users.deleted_at),
      ne(users.id, own),
    )
  if (username !== undefined && (await tx.$count(users, isOther(username))) > 0) throw taken.username()
  if (email !== undefined && (await tx.$count(users, isOther(email))) > 0) throw taken.email()
}

/** Two who take the same name at one moment: the index decides. */
async function unlessTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isDuplicate(error, 'users_username')) throw taken.username()
    if (isDuplicate(error, 'users_email')) throw taken.email()
    throw error
  }
}
