import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { getErrorMessage } from '#contract/error-message.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { findCurrentUserById } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { connectionsContract, type NewConnection } from '#domains/connections/contract.ts'
import { listConnections, readConnectionSecret } from '#domains/connections/public.ts'
import { connectionsTable } from '#domains/connections/schema.ts'
import { addConnection, prepareConnection, updateConnection } from '#domains/connections/server/mutations.ts'
import type { Move, MoveDifference, MoveItem } from '#domains/moves/contract.ts'
import { movedKindLabels } from '#domains/moves/labels.ts'
import { movesTable } from '#domains/moves/schema.ts'
import { readDifferences } from '#domains/moves/server/differences.ts'
import { acceptMove, describeQuestions, insertMove, requireSources } from '#domains/moves/server/handlers.ts'
import type { MoveCaller } from '#domains/moves/server/movable.ts'
import { readItemsPage, readMoveDto } from '#domains/moves/server/queries.ts'
import { readMove } from '#domains/moves/server/read-move.ts'
import { writeMove } from '#domains/moves/server/write-move.ts'
import { moveWriters } from '../server/moved-things/writers.ts'
import { printLine, RefusedCommandError, withAppContext } from './run-command.ts'

type MoveOptions = { from?: string; tokenFile?: string; plan?: string; accept?: boolean }
/** A running Leadline goes on with what this command leaves, after so many seconds. */
const handOverSeconds = 90

export function defineMoveCommand(command: Command): void {
  command
    .description('move an agency from an older system that speaks the same calls; without --accept nothing is written')
    .option('--from <url>', 'the address of the old system')
    .option('--token-file <file>', 'a file with the token of a session there')
    .option('--plan <file>', 'write the plan with all its items into this file, as JSON')
    .option('--accept', 'write what the plan says; no one is emailed')
    .action((options: MoveOptions) => withAppContext((context) => runRefusably(() => runMove(context, options))))
}

/** Every refusal is one line, and exit code 2. */
async function runRefusably(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const lines = Object.values(error.errors ?? {}).flat()
    throw new RefusedCommandError(lines.length > 0 ? lines.join('. ') : error.message)
  }
}

async function runMove(context: AppContext, { from, tokenFile, plan, accept = false }: MoveOptions): Promise<void> {
  if (!from) throw new RefusedCommandError('Name the old system with --from')
  if (!tokenFile) throw new RefusedCommandError('Name the file with the token with --token-file')
  const by = await findMover(context)
  const token = await readToken(tokenFile)
  const { id: connection, takeBack } = await connectOldSystem(by, from, token)
  let move: Move | undefined
  try {
    const id = await makePlan(by, connection)
    move = (await readMoveDto(context.db, id)) as Move
    if (move.state === 'failed') throw new RefusedCommandError(move.says ?? 'The plan could not be made')
    if (plan !== undefined) await writePlanFile(context, plan, move)
    printPlan(move)
    if (!accept) return
    await acceptPlan(by, move)
  } finally {
    if (!accept || move === undefined || move.state === 'failed') {
      if (move) await context.db.delete(movesTable).where(eq(movesTable.id, move.id))
      await takeBack()
    }
  }
}

/** The command acts as the first super admin. */
async function findMover(context: AppContext): Promise<MoveCaller> {
  const [first] = await context.db
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.role, 'super_admin'), usersTable.is_active, isNull(usersTable.deleted_at)))
    .orderBy(asc(usersTable.id))
    .limit(1)
  const me = first && (await findCurrentUserById(context.db, first.id))
  if (!me) throw new RefusedCommandError('There is no super admin: start Leadline once')
  return { context, me, actor: { me } }
}

async function readToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new RefusedCommandError(`The file ${file} cannot be read: ${getErrorMessage(error)}`)
  })
  if (text.trim() === '') throw new RefusedCommandError(`The file ${file} has no token`)
  return text.trim()
}

type OldConnection = { id: number; takeBack: () => Promise<unknown> }

/** Returns the connection to this address, with this token, and what takes it or its token back: recordings that were moved are played with it. */
async function connectOldSystem(
  { context, actor }: MoveCaller,
  address: string,
  token: string,
): Promise<OldConnection> {
  const parsed = connectionsContract.create.body.safeParse({ kind: 'legacy', address, token })
  if (!parsed.success) throw new RefusedCommandError(parsed.error.issues.map(({ message }) => message).join('. '))
  const form: NewConnection = parsed.data
  const stored = await prepareConnection(context, form)
  const known = (await listConnections(context, 'legacy')).find((one) => one.address === stored.address)
  const { db } = context
  const row = (id: number) => eq(connectionsTable.id, id)
  if (!known) {
    const id = await db.transaction((tx) => addConnection(tx, { context, actor }, form, stored))
    const takeBack = () => db.update(connectionsTable).set({ deleted_at: sql`now()`, secret: null }).where(row(id))
    return { id, takeBack }
  }
  const { id } = known
  const change = (tx: Tx, secret: { token: string }) => updateConnection(tx, { context, actor }, id, secret)
  const { state, says, tested_at } = connectionsTable
  const earlier = await readConnectionSecret(context, 'legacy', id)
  const [tested] = await db.select({ state, says, tested_at }).from(connectionsTable).where(row(id))
  await db.transaction((tx) => change(tx, { token }))
  const takeBack = () =>
    db.transaction(async (tx) => {
      if (earlier === null || !tested) return
      await change(tx, earlier)
      await tx.update(connectionsTable).set(tested).where(row(id))
    })
  return { id, takeBack }
}

async function makePlan(by: MoveCaller, connection: number): Promise<number> {
  const { context, me } = by
  const id = await context.db.transaction(async (tx) =>
    insertMove(tx, by, await requireSources(tx, context, [connection])),
  )
  await readMove(context, { id, by: me.id })
  return id
}

async function acceptPlan(by: MoveCaller, move: Move): Promise<void> {
  const { context, me } = by
  const { id, questions } = move
  if (questions > 0) {
    const items = await readAllItems(context, id, 'ask')
    const names = items.filter(({ choice }) => choice === null).map(({ from, reason }) => `${from.label} (${reason})`)
    throw new RefusedCommandError(
      `${describeQuestions(questions)}: ${names.slice(0, 20).join(', ')}. Choose on the page /moves/${id}`,
    )
  }
  await context.db.transaction((tx) => acceptMove(tx, by, id, handOverSeconds))
  while ((await writeMove(context, moveWriters, { id, by: me.id })) === 'more') printLine('…')
  const done = await readMoveDto(context.db, id)
  for (const { label, reason } of done.kept) printLine(`kept back: ${label}: ${reason}`)
  printDifferences(await readDifferences(context, id))
}

async function readAllItems({ db }: AppContext, id: number, becomes?: MoveItem['becomes']): Promise<MoveItem[]> {
  const all: MoveItem[] = []
  for (let page = 1; ; page++) {
    const query = { page, per_page: 200, sort: 'position' as const, order: 'asc' as const, becomes }
    const { data, total } = await readItemsPage(db, id, query)
    all.push(...data)
    if (data.length === 0 || all.length >= total) return all
  }
}

async function writePlanFile(context: AppContext, file: string, move: Move): Promise<void> {
  const items = await readAllItems(context, move.id)
  await writeFile(file, `${JSON.stringify({ ...move, items }, null, 2)}\n`).catch((error: unknown) => {
    throw new RefusedCommandError(`The file ${file} cannot be written: ${getErrorMessage(error)}`)
  })
}

function printPlan({ kinds }: Move): void {
  printTable([
    ['', 'found', 'new', 'same', 'to choose'],
    ...kinds.map((one) => [movedKindLabels[one.kind], one.found, one.new, one.same, one.ask]),
  ])
}

function printDifferences(differences: readonly MoveDifference[]): void {
  printTable([
    ['', 'month', 'theirs', 'ours', ''],
    ...differences.map((one) => [
      movedKindLabels[one.kind],
      one.month ?? '',
      one.theirs,
      one.ours,
      one.explained ?? '',
    ]),
  ])
}

function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => String(row[at]).length)))
  for (const row of rows)
    printLine(
      row
        .map((cell, at) => (typeof cell === 'number' ? String(cell).padStart(widths[at]!) : cell.padEnd(widths[at]!)))
        .join('  ')
        .trimEnd(),
    )
}
