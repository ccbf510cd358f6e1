import { and, eq, isNull } from 'drizzle-orm'
import { type Actor, record } from '#core/audit/write-audit.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, invalid, notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { hashChosen } from '#core/secrets/passwords.ts'
import { users } from '#domains/access/schema.ts'
import { type AccountChanges, changeAccount, openAccount, unlessTaken } from '#domains/access/server/accounts.ts'
import { newRemoteToken, remoteTokenOf } from '#domains/access/server/session-tokens.ts'
import { type Client, clients as contract } from '../contract.ts'
import { timezones } from '../labels.ts'
import { clients } from '../schema.ts'
import { fileColumns } from './csv-columns.ts'
import { account, clientToChange, kind, makeClient, removeClient } from './mutations.ts'
import { allClients, clientsPage, clientsQuery, readClient } from './queries.ts'

export const clientsCalls = implement(contract, {
  list: ({ db, me, query }) => (query.nopag === undefined ? clientsPage(db, me, query) : allClients(db, me, query)),

  csv: async (call) => {
    const rows = clientsQuery(call.db, call.me, call.query)
    await sendCsv<Client>(call, { name: contract.csv.file, of: 'clients', rows, columns: fileColumns(call.me) })
    return undefined
  },

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
    const password_hash = await hashChosen(body.password)
    return unlessTaken(
      db.transaction(async (tx) => readClient(tx, me, await makeClient(tx, actor, { ...body, password_hash }))),
      account,
    )
  },

  update: async ({ db, me, params, body, actor }) => {
    const { user, password, disable_notifications, version, ...rest } = body
    const password_hash = password === undefined ? undefined : await hashChosen(password)
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
        if (before.user) await changeAccount(tx, actor, before.user.id, changes, account)
        else if (Object.keys(changes).length > 0)
          await openAccount(tx, actor, { ...whole(changes), role: 'customer', client_id: params.id }, account)
        return readClient(tx, me, params.id)
      }),
      account,
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
      await removeClient(tx, { me, actor }, params.id)
      return undefined
    }),

  newRemoteToken: ({ db, me, params, house, actor }) =>
    db.transaction(async (tx) => {
      const [found] = await tx
        .select({ client_id: users.client_id })
        .from(users)
        .where(and(eq(users.id, params.id), eq(users.role, 'customer'), isNull(users.deleted_at)))
      if (!found?.client_id) throw notFound()
      const { user } = await clientToChange(tx, me, found.client_id)
      if (!user?.is_active) throw conflict('This client is not active: switch it on first')
      const token = await newRemoteToken(tx, house.secrets, params.id)
      await record(tx, actor, { kind: 'remote token', rowId: params.id, before: null, after: {} })
      return { token }
    }),
})

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

/** A client without an account gets one when the form has all that one needs. */
function whole({ username, email, password_hash }: AccountChanges) {
  if (username && email && password_hash) return { username, email, password_hash }
  throw invalid({
    ...(username ? {} : { 'user.username': ['Please input nickname'] }),
    ...(email ? {} : { 'user.email': ['Please enter email'] }),
    ...(password_hash ? {} : { password: ['Please enter password'] }),
  })
}
