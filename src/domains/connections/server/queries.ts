import { and, desc, eq, getTableColumns, inArray, isNull } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { Connection } from '../contract.ts'
import type { ConnectionKind, ConnectionState } from '../labels.ts'
import { connectionsTable } from '../schema.ts'
import { type EnvironmentConnection, readEnvironmentConnections } from './environment.ts'
import { type ConnectionSecrets, openSecret } from './secrets.ts'

/** Returns every connection, those of the environment first, then the newest first. */
export async function readConnections(db: DbOrTx, context: AppContext): Promise<BeforeJson<Connection>[]> {
  return (await readRows(db, context)).map(toConnection)
}

/** Throws 404 if there is none. */
export async function readConnection(db: DbOrTx, context: AppContext, id: number): Promise<BeforeJson<Connection>> {
  return toConnection(await requireRow(db, context, id))
}

/** A connection in force, as readers and senders need it. */
type UsedConnection = {
  id: number
  kind: ConnectionKind
  source: 'screen' | 'environment'
  name: string
  account_id: string | null
  account_name: string | null
  address: string | null
  state: ConnectionState
  says: string | null
  used_at: Date | null
  lost_since: Date | null
  created_at: Date
  version: number
}

/**
 * Returns the connections of a kind, or of all kinds, that are in force, in the order of their age: the environment's account is one among others of
 * CallRail, and wins where it is connected twice; of mail servers and Google's clients there is at most one.
 */
export async function listConnections(
  context: AppContext,
  kind?: ConnectionKind,
  db: DbOrTx = context.db,
): Promise<UsedConnection[]> {
  const rows = await readRows(db, context, kind)
  return rows
    .filter(({ row, overruledBy }) => row.deleted_at === null && overruledBy === null)
    .map(({ row, shown }) => ({
      ...{ id: row.id, kind: row.kind, source: row.source, name: nameRow({ row, shown }) },
      ...{ account_id: shown.account_id, account_name: shown.account_name, address: shown.address },
      ...{ state: row.state, says: row.says, used_at: row.used_at, lost_since: row.lost_since },
      ...{ created_at: row.created_at, version: row.version },
    }))
    .toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || a.id - b.id)
}

/** Keeps connections as they are until the transaction ends: none is changed or removed. */
export const holdConnections = (tx: Tx, ids: readonly number[]) =>
  tx
    .select({ id: connectionsTable.id })
    .from(connectionsTable)
    .where(inArray(connectionsTable.id, [...ids]))
    .orderBy(connectionsTable.id)
    .for('share')

/** Returns the secrets of a connection of this kind now, or null if it is gone. */
export async function readConnectionSecret<Kind extends ConnectionKind>(
  context: AppContext,
  kind: Kind,
  id: number,
  db: DbOrTx = context.db,
): Promise<ConnectionSecrets[Kind] | null> {
  const found = (await readRows(db, context, kind)).find(({ row }) => row.id === id)
  if (!found) return null
  if (found.environment) return found.environment.secret as ConnectionSecrets[Kind] // of the same kind
  return found.row.secret && openSecret(context, { id, kind, secret: found.row.secret })
}

type ConnectionRow = typeof connectionsTable.$inferSelect
type ReadRow = {
  row: ConnectionRow
  created_by: string | null
  shown: Pick<ConnectionRow, 'account_id' | 'account_name' | 'address'>
  /** The settings that make it. */
  environment: EnvironmentConnection | null
  /** The settings that are used instead of it. */
  overruledBy: EnvironmentConnection | null
}

/** Reads the rows that count in this process. */
async function readRows(
  db: DbOrTx,
  { settings }: Pick<AppContext, 'settings'>,
  kind?: ConnectionKind,
): Promise<ReadRow[]> {
  const set = readEnvironmentConnections(settings)
  const found = await db
    .select({ row: getTableColumns(connectionsTable), created_by: usersTable.username })
    .from(connectionsTable)
    .leftJoin(usersTable, eq(usersTable.id, connectionsTable.created_by))
    .where(and(isNull(connectionsTable.deleted_at), kind && eq(connectionsTable.kind, kind)))
    .orderBy(connectionsTable.source, desc(connectionsTable.id)) // 'environment' is before 'screen'
  return found.flatMap(({ row, created_by }) => {
    const same = set[row.kind] ?? null
    const isSameAccount = row.kind !== 'callrail' || same?.account_id === row.account_id
    if (row.source === 'screen')
      return { row, created_by, shown: row, environment: null, overruledBy: isSameAccount ? same : null }
    if (!same || !isSameAccount) return []
    const shown = { ...same, account_name: same.account_name ?? row.account_name }
    return { row, created_by, shown, environment: same, overruledBy: null }
  })
}

async function requireRow(db: DbOrTx, context: AppContext, id: number): Promise<ReadRow> {
  const found = (await readRows(db, context)).find(({ row }) => row.id === id)
  if (!found) throw notFoundError()
  return found
}

const kindNames: Record<ConnectionKind, string> = {
  callrail: 'CallRail',
  smtp: 'Mail server',
  google: 'Google',
  legacy: 'Old system',
}

/** Returns the name of a connection: the one that it was given, else one that follows from its account or address. */
export function nameRow({ row, shown }: Pick<ReadRow, 'row' | 'shown'>): string {
  if (row.name) return row.name
  if (row.kind === 'google') return kindNames.google
  if (row.kind === 'callrail') return shown.account_name ?? shown.account_id ?? kindNames.callrail
  return shown.address ? new URL(shown.address).host : kindNames[row.kind]
}

function toConnection(read: ReadRow): BeforeJson<Connection> {
  const { row, shown, created_by, environment, overruledBy } = read
  const { id, kind, source, state, tested_at, used_at, created_at, version } = row
  const sentences = [environment?.words, overruledBy && `Not used: ${lowerFirst(overruledBy.words)}`, row.says]
  return {
    ...{ id, kind, name: nameRow(read), source },
    account: shown.account_id === null ? null : { id: shown.account_id, name: shown.account_name ?? shown.account_id },
    ...{ address: shown.address, state },
    says: sentences.filter(Boolean).join('. ') || null,
    ...{ tested_at, used_at, created_by, created_at, version },
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
