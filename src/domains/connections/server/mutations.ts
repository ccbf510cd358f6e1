import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { DeclaredParts } from '#domains/server-part.ts'
import { type ChangedConnection, connectionsContract, type NewConnection } from '../contract.ts'
import type { ConnectionKind } from '../labels.ts'
import { connectionsTable } from '../schema.ts'
import { chooseCallRailAccount } from './callrail-account.ts'
import { readEnvironmentConnections } from './environment.ts'
import { checkOldSystemAddress } from './old-system-address.ts'
import { nameRow, readConnection } from './queries.ts'
import { type ConnectionSecret, changeableFields, describeSecret, openSecret, sealSecret } from './secrets.ts'

type MutationContext = { context: AppContext; actor: AuditActor }
type StoredFields = { account_id?: string; account_name?: string; address?: string | null; secret: ConnectionSecret }

/** Returns what is stored of a new connection. Asks CallRail for the account of a key. */
export async function prepareConnection(context: AppContext, form: NewConnection): Promise<StoredFields> {
  const { kind } = form
  if (kind === 'smtp' || kind === 'google') {
    const environment = readEnvironmentConnections(context.settings)[kind]
    if (environment) throw conflictError(`${environment.words}: change it there`)
  }
  if (kind === 'callrail') {
    const account = await chooseCallRailAccount(context, form)
    return { account_id: account.id, account_name: account.name, secret: { api_key: form.api_key } }
  }
  if (kind === 'legacy')
    return { address: await checkOldSystemAddress(context, form.address), secret: { token: form.token } }
  if (kind === 'smtp') {
    const secret = { url: form.url, from: form.from }
    return { ...describeSecret(secret), secret }
  }
  const secret = { client_id: form.client_id, client_secret: form.client_secret }
  return { ...describeSecret(secret), secret }
}

/** Stores a prepared connection and returns its id. */
export async function addConnection(
  tx: Tx,
  { context, actor }: MutationContext,
  { kind, name = null }: NewConnection,
  { secret, ...stored }: StoredFields,
): Promise<number> {
  await assertOnce(tx, context, { kind, id: null, ...stored })
  const [made] = await tx
    .insert(connectionsTable)
    .values({ kind, name, ...stored, created_by: actor.me?.id ?? null })
    .returning({ id: connectionsTable.id })
  const { id } = made!
  await tx
    .update(connectionsTable)
    .set({ secret: sealSecret(context, id, secret) }) // bound to the id
    .where(eq(connectionsTable.id, id))
  await writeAudit(tx, actor, { kind: connectionAuditKind, rowId: id, before: null, after: { kind, name, ...stored } })
  return id
}

/** Returns a change as it is stored. */
export async function prepareChange(context: AppContext, form: ChangedConnection): Promise<ChangedConnection> {
  return form.address === undefined ? form : { ...form, address: await checkOldSystemAddress(context, form.address) }
}

export async function updateConnection(
  tx: Tx,
  { context, actor }: MutationContext,
  id: number,
  { version: seen, ...form }: ChangedConnection,
): Promise<void> {
  const now = await lockConnection(tx, context, id)
  const fields: readonly string[] = changeableFields[now.kind]
  const foreign = Object.keys(form).filter((key) => key !== 'name' && !fields.includes(key))
  if (foreign.length > 0)
    throw validationError(Object.fromEntries(foreign.map((key) => [key, ['This field is not accepted']])))
  if (isStale(seen, now.version)) {
    const newer = await readConnection(tx, context, id)
    throw staleVersionError(connectionsContract.update, 'Someone else has changed this connection', newer)
  }
  if (Object.keys(form).length === 0) return
  const { name: sent, address, ...secretForm } = form
  const name = sent === nameRow({ row: now, shown: now }) ? undefined : sent // as it was read: a derived one stays so
  // What is replaced whole is not opened: it may have another key. Only a removed one has none.
  const isReplaced = fields.every((field) => field === 'address' || field in secretForm)
  const before = isReplaced ? null : openSecret(context, { id, kind: now.kind, secret: now.secret! })
  const secret = { ...before, ...secretForm } as ConnectionSecret // has each of its fields
  const stored = 'from' in secret || 'client_id' in secret ? describeSecret(secret) : { address }
  if (address !== undefined) await assertOnce(tx, context, { kind: now.kind, id, address })
  const isOther = Object.keys(form).some((key) => key !== 'name')
  const version = now.version + 1
  const { account_id, account_name } = now
  const was = { name: now.name, account_id, account_name, address: now.address }
  const is = { ...was, ...dropUndefined({ name, ...stored }) }
  const sealed = isOther && {
    secret: sealSecret(context, id, secret),
    ...{ state: 'untested' as const, says: null, tested_at: null },
  }
  await tx
    .update(connectionsTable)
    .set({ ...is, ...sealed, version })
    .where(eq(connectionsTable.id, id))
  const hasNewSecret = JSON.stringify(secret) !== JSON.stringify(before)
  await writeAudit(tx, actor, {
    kind: connectionAuditKind,
    rowId: id,
    before: was,
    after: { ...is, ...(hasNewSecret && { secret: 'changed' }) },
    version,
  })
}

/** Removes a connection with its secrets. The row stays, because what it brought refers to it. */
export async function removeConnection(
  tx: Tx,
  { context, actor }: MutationContext,
  uses: DeclaredParts['connectionUses'],
  id: number,
): Promise<void> {
  const { kind, name, account_id, account_name, address } = await lockConnection(tx, context, id)
  for (const describeUse of uses) {
    const words = await describeUse(tx, id)
    if (words) throw conflictError(words)
  }
  await tx.update(connectionsTable).set({ deleted_at: sql`now()`, secret: null }).where(eq(connectionsTable.id, id))
  await writeAudit(tx, actor, {
    kind: connectionAuditKind,
    rowId: id,
    before: { kind, name, account_id, account_name, address },
    after: null,
  })
}

const connectionAuditKind = 'connection'

/** Locks a connection that may be changed. Throws 404 if there is none, 409 for one of the environment. */
async function lockConnection(tx: Tx, context: AppContext, id: number) {
  const [row] = await tx
    .select()
    .from(connectionsTable)
    .where(and(eq(connectionsTable.id, id), isNull(connectionsTable.deleted_at)))
    .for('update')
  if (!row) throw notFoundError()
  if (row.source === 'screen') return row
  await readConnection(tx, context, id) // 404 where this process has no such settings
  throw conflictError(`${readEnvironmentConnections(context.settings)[row.kind]!.words}: change it there`)
}

type Identity = { kind: ConnectionKind; id: number | null; account_id?: string; address?: string | null | undefined }

/** The same account or address only once; one mail server and one client of Google. The index guards it too. */
async function assertOnce(tx: Tx, { settings }: AppContext, { kind, id, account_id, address }: Identity) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('connections'))`)
  const environment = readEnvironmentConnections(settings)
  if (kind === 'callrail' && environment.callrail?.account_id === account_id) throw conflictError(connectedAlready)
  const rows = await tx
    .select({ account_id: connectionsTable.account_id, address: connectionsTable.address })
    .from(connectionsTable)
    .where(
      and(
        eq(connectionsTable.kind, kind),
        eq(connectionsTable.source, 'screen'),
        isNull(connectionsTable.deleted_at),
        id === null ? undefined : ne(connectionsTable.id, id),
      ),
    )
  const isSame = (row: (typeof rows)[number]) =>
    kind === 'callrail' || kind === 'google' ? row.account_id === account_id : row.address === address
  if (rows.some(isSame)) throw conflictError(connectedAlready)
  const one = kind === 'smtp' ? 'A mail server is' : kind === 'google' ? 'Google is' : null
  if (rows.length > 0 && one) throw conflictError(`${one} connected already: change that connection`)
}
const connectedAlready = 'This account is connected already'

const dropUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>
  }
