import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { foldText } from '#contract/fold-text.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import {
  commonPasswordMessage,
  containsName,
  hashNewPassword,
  isCommonPassword,
  namedPasswordMessage,
  noPasswordHash,
} from '#core/secrets/passwords.ts'
import { nameTakenMessages } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import {
  buildImportFields,
  type FindUses,
  findChangedSince,
  getFilledCell,
  type ImportDefinition,
  type LineCells,
  type LineProblem,
  parseFieldCells,
  parseIsActive,
  toCellProblems,
  writeEach,
} from '#domains/imports/public.ts'
import { clientFormSchema } from '../contract.ts'
import { clientFields } from '../fields.ts'
import { clientsTable } from '../schema.ts'
import { assertMaySetAccount, clientAuditKind, createClient, removeClient } from './mutations.ts'

/** Without a password no one can sign in to the account until it gets one. */
const importedClientSchema = clientFormSchema
  .partial({ password: true })
  .extend({ active: z.boolean('Please say Yes or No') })
type ImportedClient = z.output<typeof importedClientSchema>

/** Imports clients with their login accounts. */
export const clientsImport: ImportDefinition<ImportedClient> = {
  // Hashing passwords is slow, and a commit should be short.
  atOnce: 20,
  fields: Object.values(buildImportFields(clientFields)),

  // With a password they can sign in at once; without one, their email gets the link of a new one.
  assertRunnable: async (_tx, me) => assertMaySetAccount(me),

  open: async () => parseClientRow,

  there: async (db, rows) => {
    const holders = await findAccountHolders(db, rows)
    return Promise.all(rows.map((row) => determineRowOutcome(row, holders)))
  },

  write: (tx, { actor }, rows) =>
    writeEach(tx, rows, async (inner, { password, active, user, ...client }) => {
      const password_hash = password === undefined ? noPasswordHash : await hashNewPassword(password)
      return createClient(inner, actor, { ...client, user: { ...user, is_active: active }, password_hash })
    }),

  remove: async (tx, by, ids, findUses) => {
    const kept = await findClientsInUse(tx, ids, findUses)
    for (const id of ids) if (!kept.has(id)) await removeClient(tx, by, id)
    return kept
  },
}

function parseClientRow(cells: LineCells) {
  const parsed = importedClientSchema.safeParse({
    ...parseFieldCells(clientFields, cells),
    user: { username: cells.username, email: cells.email },
    password: getFilledCell(cells, 'password'),
    active: parseIsActive(getFilledCell(cells, 'active')),
  })
  if (!parsed.success) return { wrong: toCellProblems(parsed.error) }
  const { username, email } = parsed.data.user
  return { row: parsed.data, names: [...new Set([username, email].map(foldText))] }
}

type AccountHolder = { username: string; email: string; client: string | null }

/** Returns the accounts that already have one of these names. */
function findAccountHolders(db: DbOrTx, rows: ImportedClient[]): Promise<AccountHolder[]> {
  const names = sql.param(rows.flatMap(({ user }) => [foldText(user.username), foldText(user.email)]))
  const isOne = (column: typeof usersTable.username | typeof usersTable.email) =>
    sql`fold_text(${column}) = any(${names}::text[])`
  return db
    .select({ username: usersTable.username, email: usersTable.email, client: clientsTable.name })
    .from(usersTable)
    .leftJoin(clientsTable, and(eq(clientsTable.id, usersTable.client_id), isNull(clientsTable.deleted_at)))
    .where(and(or(isOne(usersTable.username), isOne(usersTable.email)), isNull(usersTable.deleted_at)))
}

/** A client with the same name and email is known; any other holder of one of the names is a conflict. */
async function determineRowOutcome(
  { name, user, password }: ImportedClient,
  holders: AccountHolder[],
): Promise<'fresh' | 'known' | LineProblem[]> {
  const isNamed = (one: AccountHolder, by: string) =>
    [one.username, one.email].some((own) => foldText(own) === foldText(by))
  const isSame = (one: AccountHolder) =>
    foldText(one.email) === foldText(user.email) && foldText(one.client ?? '') === foldText(name)
  if (holders.some(isSame)) return 'known'
  const wrong: LineProblem[] = []
  for (const field of ['username', 'email'] as const)
    if (holders.some((one) => isNamed(one, user[field]))) wrong.push({ field, says: nameTakenMessages[field] })
  if (password !== undefined && (await isCommonPassword(password)))
    wrong.push({ field: 'password', says: commonPasswordMessage })
  else if (password !== undefined && containsName(password, [user.username, name]))
    wrong.push({ field: 'password', says: namedPasswordMessage })
  return wrong.length > 0 ? wrong : 'fresh'
}

/** Locks the clients and their accounts. Returns those that have been changed or that other rows refer to, with the reason. */
async function findClientsInUse(tx: Tx, ids: number[], findUses: FindUses): Promise<Map<number, string>> {
  await tx
    .select({ id: clientsTable.id })
    .from(clientsTable)
    .where(inArray(clientsTable.id, ids))
    .orderBy(clientsTable.id)
    .for('update')
  const accounts = await tx
    .select({ id: usersTable.id, client_id: usersTable.client_id })
    .from(usersTable)
    .where(inArray(usersTable.client_id, ids))
    .orderBy(usersTable.id)
    .for('update')
  const changed = await findChangedSince(tx, clientAuditKind, 'this client', ids)
  const held = accounts.map(({ id }) => id)
  const changedAccounts = await findChangedSince(tx, 'user', 'its account', held)
  return new Map([
    ...(await findUses()),
    ...accounts.flatMap(({ id, client_id }): [number, string][] => {
      const says = changedAccounts.get(id)
      return client_id !== null && says !== undefined ? [[client_id, says]] : []
    }),
    ...changed,
  ])
}
