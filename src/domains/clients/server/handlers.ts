import { and, eq, isNull } from 'drizzle-orm'
import { type AuditActor, diffFields, writeAudit } from '#core/audit/write-audit.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import { buildCsvColumns } from '#core/csv/field-csv.ts'
import type { Tx } from '#core/db/db.ts'
import { toColumnValues } from '#core/db/field-columns.ts'
import { conflictError, isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import { assertNotNamed, hashNewPassword, notArrivedHash } from '#core/secrets/passwords.ts'
import {
  type AccountChanges,
  assertMailerConnected,
  type CurrentUser,
  createAccount,
  createRemoteToken,
  findRemoteToken,
  isAwaited,
  mapNameConflict,
  queueInvitation,
  updateAccount,
} from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { type Client, clientOptionSchema, clientsContract } from '../contract.ts'
import { clientFields } from '../fields.ts'
import { getNotificationsLabel, timezoneLabels } from '../labels.ts'
import { clientsTable } from '../schema.ts'
import { inactiveClientMessage } from './active-client.ts'
import {
  accountFieldPrefix,
  assertMaySetAccount,
  clientAuditKind,
  createClient,
  lockClient,
  removeClient,
} from './mutations.ts'
import { buildClientsQuery, readClient, readClientsPage, selectAllClients } from './queries.ts'

export const clientsHandlers = implementContract(clientsContract, {
  list: ({ db, me, query }) =>
    query.nopag === undefined ? readClientsPage(db, me, query) : selectAllClients(db, me, query),

  csv: (call) =>
    sendCsv<Client>(call, {
      name: clientsContract.csv.file,
      of: 'clients',
      rows: buildClientsQuery(call.db, call.me, call.query),
      columns: getClientCsvColumns(call.me),
    }),

  timezones: () => timezoneLabels,

  get: ({ db, me, params, context, actor, hidesSecrets }) =>
    db.transaction(async (tx) => {
      const client = await readClient(tx, me, params.id)
      if (!client.user || !client.may_change) return client
      const remote_token = await findRemoteToken(tx, context.secrets, client.user.id)
      if (remote_token !== null && !hidesSecrets)
        await writeAudit(tx, actor, { kind: 'look at a remote token', rowId: client.user.id, before: null, after: {} })
      return { ...client, user: { ...client.user, remote_token } }
    }),

  create: async ({ db, me, body: { invite, password = '', ...form }, actor, context }) => {
    assertMaySetAccount(me)
    if (invite) await assertMailerConnected(context, db)
    else assertNotNamed(password, [form.user.username, form.name])
    const password_hash = invite ? notArrivedHash : await hashNewPassword(password)
    return mapNameConflict(
      db.transaction(async (tx) => {
        const client = await readClient(tx, me, await createClient(tx, actor, { ...form, password_hash }))
        if (invite && client.user) await queueInvitation(tx, context, actor, { ...client.user, isClient: true })
        return client
      }),
      accountFieldPrefix,
    )
  },

  update: async ({ db, me, params, body, actor, context }) => {
    const { user, password, version } = body
    const password_hash = password === undefined ? undefined : await hashNewPassword(password)
    return mapNameConflict(
      db.transaction(async (tx) => {
        const before = await lockClient(tx, me, params.id)
        if (password !== undefined)
          assertNotNamed(password, [user?.username ?? before.user?.username, body.name ?? before.name])
        if (user?.id !== undefined && user.id !== before.user?.id)
          throw validationError({ 'user.id': ['This is not the account of this client'] })
        if (isStale(version, before.version))
          throw staleVersionError(clientsContract.update, 'Someone else has changed this client', before)
        const { id: _, is_active, ...named } = user ?? {}
        assertMayChangeAccount(me, before.user, { ...named, password_hash })
        await updateClient(tx, actor, params.id, toColumnValues(clientFields, clientsTable, body))
        const changes = {
          ...named,
          ...(password_hash === undefined ? {} : { password_hash }),
          ...(is_active === undefined ? {} : { is_active: is_active === 1 }),
        }
        if (before.user) await updateAccount(tx, actor, before.user.id, changes, accountFieldPrefix)
        else if (Object.keys(changes).length > 0)
          await createAccount(
            tx,
            actor,
            { ...requireFullAccount(changes), role: 'customer', client_id: params.id },
            accountFieldPrefix,
          )
        const client = await readClient(tx, me, params.id)
        await inviteAgain(tx, { context, actor, before: before.user, now: client.user })
        return client
      }),
      accountFieldPrefix,
    )
  },

  status: ({ db, me, body, actor }) =>
    db.transaction(async (tx) => {
      const before = await lockClient(tx, me, body.id)
      if (!before.user) throw notFoundError()
      await updateAccount(tx, actor, before.user.id, { is_active: body.is_active === 1 })
      return readClient(tx, me, body.id)
    }),

  remove: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      await removeClient(tx, { me, actor }, params.id)
    }),

  newRemoteToken: ({ db, me, params, context, actor }) =>
    db.transaction(async (tx) => {
      const [found] = await tx
        .select({ client_id: usersTable.client_id })
        .from(usersTable)
        .where(and(eq(usersTable.id, params.id), eq(usersTable.role, 'customer'), isNull(usersTable.deleted_at)))
      if (!found?.client_id) throw notFoundError()
      const { user } = await lockClient(tx, me, found.client_id)
      if (!user?.is_active) throw conflictError(inactiveClientMessage)
      const token = await createRemoteToken(tx, context.secrets, params.id)
      await writeAudit(tx, actor, { kind: 'remote token', rowId: params.id, before: null, after: {} })
      return { token }
    }),
})

type ClientValues = Partial<(typeof clientsTable)['$inferInsert']>

async function updateClient(tx: Tx, actor: AuditActor, id: number, after: ClientValues) {
  const [before] = await tx.select().from(clientsTable).where(eq(clientsTable.id, id))
  if (!before) throw notFoundError()
  const version = before.version + 1
  await tx
    .update(clientsTable)
    .set({ ...after, version })
    .where(eq(clientsTable.id, id))
  await writeAudit(tx, actor, { kind: clientAuditKind, rowId: id, before, after, version })
}

/** The account is part of the form, so unchanged it may be sent. */
function assertMayChangeAccount(me: CurrentUser, account: Client['user'], sent: AccountChanges) {
  if (Object.keys(diffFields(account ?? {}, sent).after).length > 0) assertMaySetAccount(me)
}

type EmailChange = { context: AppContext; actor: AuditActor; before: Client['user']; now: Client['user'] }

/** The new address of an account ends the invitation that went to the old one. */
async function inviteAgain(tx: Tx, { context, actor, before, now }: EmailChange) {
  if (!before || !now || before.email.toLowerCase() === now.email.toLowerCase()) return
  if (!(await isAwaited(tx, now.id))) return
  await assertMailerConnected(context, tx)
  await queueInvitation(tx, context, actor, { ...now, isClient: true })
}

/** A client without an account gets one if the form has all the required fields. */
function requireFullAccount({ username, email, password_hash }: AccountChanges) {
  if (username && email && password_hash) return { username, email, password_hash }
  throw validationError({
    ...(username ? {} : { 'user.username': ['Please input nickname'] }),
    ...(email ? {} : { 'user.email': ['Please enter email'] }),
    ...(password_hash ? {} : { password: ['Please enter password'] }),
  })
}

const clientCsvColumns = buildCsvColumns(clientFields, {
  email: ({ user }) => user?.email,
  notifications: ({ disable_notifications }) => getNotificationsLabel(disable_notifications),
  campaigns: ({ campaigns }) => campaigns.map(({ name }) => name).join(', '),
  active: ({ user }) => (user?.is_active ? 'Yes' : 'No'),
})

/** The columns of clients.csv: those of the table that this person may see. */
const getClientCsvColumns = (me: CurrentUser) =>
  clientCsvColumns.filter(({ name }) => me.permissions.clients || name in clientOptionSchema.shape)
