import { and, eq, inArray } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, notFoundError, validationError } from '#core/http/errors.ts'
import { assertMailerConnected, queueInvitation } from '#domains/access/public.ts'
import { type AppContext, type EndpointCall, implementContract } from '#domains/app-context.ts'
import { holdConnections, listConnections } from '#domains/connections/public.ts'
import { movesContract } from '../contract.ts'
import { isHalted, isMoving } from '../labels.ts'
import { type MoveSource, moveItemsTable, movesTable } from '../schema.ts'
import { readDifferencesPage } from './differences.ts'
import { type MoveRow, type MoveTask, readQueue, setMove, undoQueue, writeQueue } from './move-task.ts'
import {
  countQuestions,
  findUninvited,
  readItemsPage,
  readMoveDto,
  readMovedAccounts,
  readMovesPage,
} from './queries.ts'
import { toLegacySource } from './read-move.ts'
import { isItem } from './write-move.ts'

export const movesHandlers = implementContract(movesContract, {
  list: ({ db, query }) => readMovesPage(db, query),

  start: (call) =>
    call.db.transaction(async (tx) =>
      startMove(tx, call, await requireSources(tx, call.context, call.body.connections)),
    ),

  get: ({ db, params }) => readMoveDto(db, params.id),

  items: async ({ db, params, query }) => {
    await readMoveDto(db, params.id)
    return readItemsPage(db, params.id, query)
  },

  choose: ({ db, params, body, actor }) =>
    db.transaction(async (tx) => {
      const row = await lockMove(tx, params.id)
      if (row.state !== 'ready') throw conflictError(describeState(row))
      await writeChoices(tx, row.id, body.choices)
      await writeAudit(tx, actor, { kind: 'move', rowId: row.id, before: {}, after: { choices: body.choices } })
      return readMoveDto(tx, row.id)
    }),

  accept: (call) => call.db.transaction((tx) => acceptMove(tx, call, call.params.id)),

  undo: (call) =>
    call.db.transaction(async (tx) => {
      const row = await lockMove(tx, call.params.id)
      if (row.state !== 'done' && !isHalted(row.state, row.problem))
        throw conflictError(row.state === 'ready' ? 'This move has not been accepted' : describeState(row))
      await setMove(tx, row.id, { state: 'undoing', problem: null })
      await call.context.jobs.send(tx, undoQueue, toTask(call, row.id))
      await writeAudit(tx, call.actor, {
        kind: 'move',
        rowId: row.id,
        before: { state: row.state },
        after: { state: 'undoing' },
      })
      return readMoveDto(tx, row.id)
    }),

  invite: ({ db, params, body, context, actor }) =>
    db.transaction(async (tx) => {
      const row = await lockMove(tx, params.id)
      if (row.state !== 'done') throw conflictError('This move has brought no one yet: it is not done')
      await assertMailerConnected(context, tx)
      const ids = body?.ids
      const accounts = ids ? await readMovedAccounts(tx, row.id) : await findUninvited(tx, row.id)
      const refused: { id: number; reason: string }[] = []
      let invited = 0
      for (const id of new Set(ids ?? accounts.map((one) => one.id))) {
        const account = accounts.find((one) => one.id === id)
        const reason = describeUninvitable(account)
        if (reason !== null || !account) refused.push({ id, reason: reason ?? '' })
        else {
          await queueInvitation(tx, context, actor, account)
          invited += 1
        }
      }
      return { invited, refused }
    }),

  differences: async ({ db, context, params, query }) => {
    await readMoveDto(db, params.id)
    return readDifferencesPage(context, params.id, query)
  },
})

function describeUninvitable(
  account: Awaited<ReturnType<typeof readMovedAccounts>>[number] | undefined,
): string | null {
  if (!account) return 'This account did not come with the move'
  if (!account.is_active) return 'This account is switched off'
  if (account.arrived) return 'Signed in already'
  return account.invited ? 'Invited already' : null
}

type MoveCall = Pick<EndpointCall<typeof movesContract.get>, 'me' | 'actor' | 'context'>

/** Starts reading the plan, in a job. */
async function startMove(tx: Tx, { me, actor, context }: MoveCall, sources: MoveSource[]) {
  const id = await insertMove(tx, { me, actor }, sources)
  await context.jobs.send(tx, readQueue, toTask({ me, actor }, id))
  return readMoveDto(tx, id)
}

export async function insertMove(
  tx: Tx,
  { me, actor }: Pick<MoveCall, 'me' | 'actor'>,
  sources: MoveSource[],
): Promise<number> {
  const [made] = await tx.insert(movesTable).values({ user_id: me.id, sources }).returning({ id: movesTable.id })
  const after = { connections: sources.map(({ connection }) => connection) }
  await writeAudit(tx, actor, { kind: 'move', rowId: made!.id, before: null, after })
  return made!.id
}

/** Lets a plan be written, or one that has halted go on, by a job that begins `after` so many seconds. Throws 409 while something is to be chosen. */
export async function acceptMove(tx: Tx, { me, actor, context }: MoveCall, id: number, after = 0) {
  const row = await lockMove(tx, id)
  const isAgain = row.state === 'writing' && isHalted(row.state, row.problem)
  if (row.state !== 'ready' && !isAgain) throw conflictError(describeState(row))
  const questions = isAgain ? 0 : await countQuestions(tx, id)
  if (questions > 0) throw conflictError(describeQuestions(questions))
  await setMove(tx, id, { state: 'writing', problem: null, accepted_at: row.accepted_at ?? new Date() })
  await context.jobs.send(tx, writeQueue, toTask({ me, actor }, id), { after })
  await writeAudit(tx, actor, { kind: 'move', rowId: id, before: { state: row.state }, after: { state: 'writing' } })
  return readMoveDto(tx, id)
}

export const describeQuestions = (count: number) =>
  count === 1 ? '1 thing is still to be chosen' : `${count} things are still to be chosen`

const toTask = ({ me, actor }: Pick<MoveCall, 'me' | 'actor'>, id: number): MoveTask => ({
  id,
  by: me.id,
  requestId: actor.requestId,
  address: actor.address,
})

async function lockMove(tx: Tx, id: number): Promise<MoveRow> {
  const [row] = await tx.select().from(movesTable).where(eq(movesTable.id, id)).for('update')
  if (!row) throw notFoundError()
  return row
}

function describeState({ state, problem }: MoveRow): string {
  if (state === 'failed') return problem ?? 'This plan could not be made'
  if (state === 'reading') return 'The plan is still being made'
  if (isMoving(state)) return state === 'writing' ? 'This move was accepted already' : 'This move is being undone'
  return state === 'undone' ? 'This move was undone already' : 'This move was accepted already'
}

/** Holds the connections of a move. Throws 422 for one that is unknown, or that nothing moves from. */
export async function requireSources(tx: Tx, context: AppContext, ids: readonly number[]): Promise<MoveSource[]> {
  await holdConnections(tx, ids)
  const legacy = await listConnections(context, 'legacy', tx)
  const callrail = await listConnections(context, 'callrail', tx)
  return [...new Set(ids)].map((id) => {
    const found = [...legacy, ...callrail].find((one) => one.id === id)
    if (!found) throw validationError({ connections: [`There is no connection ${id} to move from`] })
    const { kind, name, address, account_id } = found
    const source = (kind === 'legacy' ? address && toLegacySource(address) : account_id) ?? String(id)
    return { connection: id, kind: kind === 'legacy' ? 'legacy' : 'callrail', name, source }
  })
}

/** Throws 422 for an unknown item, and for a row that was not offered. */
async function writeChoices(tx: Tx, moveId: number, choices: Record<string, number | string>) {
  const keys = Object.keys(choices)
  if (keys.length === 0) return
  const items = await tx
    .select({
      key: moveItemsTable.key,
      label: moveItemsTable.label,
      kind: moveItemsTable.kind,
      options: moveItemsTable.options,
    })
    .from(moveItemsTable)
    .where(and(eq(moveItemsTable.move_id, moveId), inArray(moveItemsTable.key, keys)))
  const wrong: string[] = []
  for (const [key, choice] of Object.entries(choices)) {
    const item = items.find((one) => one.key === key)
    if (!item || item.kind === 'lead' || item.kind === 'note') wrong.push(`There is nothing with the key ${key}`)
    else if (choice !== 'new' && choice !== 'skip' && !item.options.some(({ id }) => id === choice))
      wrong.push(`${item.label}: ${choice} was not offered`)
  }
  if (wrong.length > 0) throw validationError({ choices: wrong })
  for (const [key, choice] of Object.entries(choices))
    await tx
      .update(moveItemsTable)
      .set({ choice: String(choice) })
      .where(isItem({ move_id: moveId, key }))
}
