import { and, asc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { foldText } from '#contract/fold-text.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import {
  conflictError,
  HttpError,
  isDatabaseUnavailable,
  isSerializationFailure,
  isUniqueViolation,
} from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { LegacyError, type LegacyRow, type LegacyServer } from '#integrations/legacy/legacy-server.ts'
import type { MovedKind, WrittenKind } from '../labels.ts'
import { type MoveSource, movedIdsTable, moveItemsTable, movesTable } from '../schema.ts'
import { readReference, readText } from './legacy-values.ts'
import type { KindWriters, MoveCaller, MovedThing, MoveLookup, WrittenThing } from './movable.ts'
import { startMoveHistory } from './move-history.ts'
import { type MoveRow, type MoveTask, readMoveRow, requireMoveCaller, setMove } from './move-task.ts'
import { holdHere } from './read-here.ts'
import { openLegacyServer, toItemKey } from './read-move.ts'

type Item = typeof moveItemsTable.$inferSelect
/** So many things are committed together, each in a savepoint of its own. */
const batchSize = 50

/** Writes the items of an accepted move that are still open. Returns whether there is more to do. */
export async function writeMove(context: AppContext, writers: KindWriters, task: MoveTask): Promise<'more' | 'over'> {
  const isOver = context.jobs.createTimeLimit()
  const row = await readMoveRow(context.db, task.id)
  if (row?.state !== 'writing') return 'over'
  const writing = await WritingMove.start(context, writers, row, task)
  while (!isOver()) {
    await writing.refreshRows()
    const items = await writing.readOpenItems()
    if (items.length === 0) {
      await finishMove(context, task)
      return 'over'
    }
    if (!(await writing.writeItems(items))) return 'over'
  }
  return 'more'
}

async function finishMove(context: AppContext, task: MoveTask): Promise<void> {
  await context.db.transaction(async (tx) => {
    const { actor } = await requireMoveCaller(tx, context, task)
    const [row] = await tx.select().from(movesTable).where(eq(movesTable.id, task.id)).for('update')
    if (row?.state !== 'writing') return
    await setMove(tx, task.id, { state: 'done', done_at: new Date() })
    await startMoveHistory(tx, context, row)
    await writeAudit(tx, actor, {
      kind: 'move',
      rowId: task.id,
      before: { state: 'ready' },
      after: { state: 'done' },
    })
  })
}

class WritingMove {
  readonly #context: AppContext
  readonly #writers: KindWriters
  readonly #task: MoveTask
  readonly #sources: Map<number, MoveSource>
  /** The rows that things have become, by the key of the item. Leads are left out: nothing refers to them. */
  readonly #rows = new Map<string, number>()
  /** Those of the transaction that is open. */
  readonly #fresh = new Map<string, number>()
  /** The ids of the old systems' campaigns, by name, and the keys of their items. */
  readonly #campaignNames: Map<string, string | null>
  readonly #campaigns: ReadonlySet<string>
  readonly #servers = new Map<number, Promise<LegacyServer>>()

  private constructor(
    context: AppContext,
    writers: KindWriters,
    { row, task }: { row: MoveRow; task: MoveTask },
    { names, campaigns }: { names: Map<string, string | null>; campaigns: ReadonlySet<string> },
  ) {
    this.#context = context
    this.#writers = writers
    this.#task = task
    this.#sources = new Map(row.sources.map((source) => [source.connection, source]))
    this.#campaignNames = names
    this.#campaigns = campaigns
  }

  static async start(context: AppContext, writers: KindWriters, row: MoveRow, task: MoveTask): Promise<WritingMove> {
    const { key, kind, label, connection_id, old_id, move_id } = moveItemsTable
    const campaigns = await context.db
      .select({ key, label, connection_id, old_id })
      .from(moveItemsTable)
      .where(and(eq(move_id, row.id), eq(kind, 'campaign')))
    const names = new Map<string, string | null>()
    for (const one of campaigns) {
      const name = `${one.connection_id} ${foldText(one.label)}`
      names.set(name, names.has(name) ? null : one.old_id) // a name of two campaigns says nothing
    }
    return new WritingMove(
      context,
      writers,
      { row, task },
      { names, campaigns: new Set(campaigns.map((one) => one.key)) },
    )
  }

  /** Another process may have written some since: a job that was taken for dead, or the command line. */
  async refreshRows(): Promise<void> {
    const { key, row_id, kind, move_id } = moveItemsTable
    const isWritten = and(eq(move_id, this.#task.id), isNotNull(row_id), ne(kind, 'lead'))
    const { db } = this.#context
    if ((await db.$count(moveItemsTable, isWritten)) === this.#rows.size) return
    for (const one of await db.select({ key, row_id }).from(moveItemsTable).where(isWritten))
      this.#rows.set(one.key, one.row_id!)
  }

  readOpenItems(): Promise<Item[]> {
    const { move_id, state, position } = moveItemsTable
    return this.#context.db
      .select()
      .from(moveItemsTable)
      .where(and(eq(move_id, this.#task.id), eq(state, 'open')))
      .orderBy(asc(position))
      .limit(batchSize)
  }

  /** Writes items in one transaction, each whole or not at all. Returns false if the move is no longer to be written. */
  async writeItems(items: Item[]): Promise<boolean> {
    const { db } = this.#context
    const files = await this.#fetchFiles(items)
    const written = await runTransaction(db, async (tx) => {
      this.#fresh.clear()
      const by = await requireMoveCaller(tx, this.#context, this.#task)
      // Another worker's job may be over, and its move be undone by now.
      const [row] = await tx
        .select({ state: movesTable.state })
        .from(movesTable)
        .where(eq(movesTable.id, this.#task.id))
        .for('share')
      if (row?.state !== 'writing') return null
      const open = await lockOpenItems(tx, items)
      const leads = open.filter((item) => item.kind === 'lead' && (item.choice ?? item.to_id) === null)
      for (const item of open) if (!leads.includes(item)) await this.#writeItem(tx, by, item, files)
      // Leads are the last: what they belong to is there by now.
      if (!(await this.#tryWriteLeads(tx, by, leads)))
        for (const item of leads) await this.#writeItem(tx, by, item, files)
      return new Map(this.#fresh)
    })
    for (const [key, id] of written ?? []) this.#rows.set(key, id)
    this.#fresh.clear()
    return written !== null
  }

  /** Writes leads together. Returns false, and has written none, if one of them cannot be written. */
  async #tryWriteLeads(tx: Tx, by: MoveCaller, items: Item[]): Promise<boolean> {
    const bySource = Map.groupBy(items, ({ connection_id }) => connection_id)
    try {
      await tx.transaction(async (inner) => {
        for (const group of bySource.values()) {
          const things = group.map(toThing)
          const written = await this.#writers.lead.writeMany!(inner, by, things, this.#lookUp(group[0]!, new Map()))
          for (const [at, item] of group.entries()) await this.#saveWritten(inner, item, toWrittenValues(written[at]!))
        }
      })
      return true
    } catch (error) {
      if (isDatabaseUnavailable(error) || isSerializationFailure(error)) throw error
      return false
    }
  }

  async #writeItem(tx: Tx, by: MoveCaller, item: Item, files: Map<string, Buffer | string>): Promise<void> {
    const wanted = item.choice ?? (item.becomes === 'same' ? String(item.to_id ?? item.to_key ?? 'new') : 'new')
    if (wanted === 'skip') return this.#saveUnwritten(tx, item, { state: 'skipped' })
    const writer = this.#writers[item.kind as WrittenKind]
    const thing = toThing(item)
    const lookup = this.#lookUp(item, files)
    try {
      await tx.transaction(async (inner) => {
        if (wanted === 'new') {
          const written = toWrittenValues(await writer.write(inner, by, thing, lookup))
          const lost = (writer.listFiles?.(thing) ?? []).map((url) => files.get(`${item.connection_id} ${url}`))
          const says =
            [written.kept, ...lost.filter((one) => typeof one === 'string')].filter(Boolean).join('. ') || null
          await this.#saveWritten(inner, item, { ...written, kept: says })
        } else {
          const row_id = /^\d+$/.test(wanted) ? Number(wanted) : lookup.findItem(wanted)
          if (row_id === null) throw conflictError('The campaign that it belongs to was not moved')
          if (!(await holdHere(inner, item.kind, row_id))) throw conflictError('Deleted here since the plan was made')
          const replaced = (await writer.complete?.(inner, by, row_id, thing, lookup)) ?? null
          await this.#saveWritten(inner, item, { row_id, becomes: 'same', replaced, kept: null })
        }
      })
    } catch (error) {
      if (isDatabaseUnavailable(error) || isSerializationFailure(error)) throw error
      await this.#saveUnwritten(tx, item, { state: 'kept', kept: describeRefusal(this.#context, error) })
    }
  }

  async #saveWritten(tx: Tx, item: Item, values: WrittenValues): Promise<void> {
    // What was read of it is no longer needed.
    await tx
      .update(moveItemsTable)
      .set({ ...values, state: 'written', payload: null })
      .where(isItem(item))
    const { source } = this.#sources.get(item.connection_id)!
    const { kind, old_id, move_id } = item
    // What an earlier move has brought stays its own: the undo of this one must not forget it.
    const owner = sql`case when ${movedIdsTable.row_id} = excluded.row_id then ${movedIdsTable.move_id} else ${move_id} end`
    await tx
      .insert(movedIdsTable)
      .values({ source, kind, old_id, move_id, row_id: values.row_id })
      .onConflictDoUpdate({
        target: [movedIdsTable.source, movedIdsTable.kind, movedIdsTable.old_id],
        set: { row_id: values.row_id, move_id: owner },
      })
    if (kind !== 'lead') this.#fresh.set(item.key, values.row_id)
  }

  #saveUnwritten = async (tx: Tx, item: Item, values: Pick<Item, 'state'> & Partial<Item>): Promise<void> => {
    await tx.update(moveItemsTable).set(values).where(isItem(item))
  }

  #lookUp(item: Item, fetched: Map<string, Buffer | string>): MoveLookup {
    const { connection_id } = item
    const findItem = (key: string) => this.#fresh.get(key) ?? this.#rows.get(key) ?? null
    const find = (kind: MovedKind, oldId: string | null) => {
      if (oldId === null) return null
      return findItem(toItemKey(connection_id, kind, oldId))
    }
    const files = new Map<string, Buffer>()
    for (const [key, file] of fetched)
      if (typeof file !== 'string' && key.startsWith(`${connection_id} `))
        files.set(key.slice(`${connection_id} `.length), file)
    return {
      source: this.#sources.get(connection_id)!.source,
      find,
      findItem,
      findCampaign: (row) => find('campaign', this.#findCampaignId(connection_id, row)),
      isCampaignPlanned: (row) => {
        const id = this.#findCampaignId(connection_id, row)
        return id !== null && this.#campaigns.has(toItemKey(connection_id, 'campaign', id))
      },
      files,
    }
  }

  /** Returns the old system's id of the campaign that a thing names, by its id or name. */
  #findCampaignId(connection: number, row: LegacyRow): string | null {
    for (const name of [row.campaign_id, row.campaign, row.campaign_name]) {
      const id = typeof name === 'string' ? this.#campaignNames.get(`${connection} ${foldText(name)}`) : undefined
      if (id) return id
    }
    return readReference(row, 'campaign') ?? readText(row, 'campaign')
  }

  /** Fetches the files of these items, or why one cannot be fetched, by connection and address. Not in a transaction. */
  async #fetchFiles(items: Item[]): Promise<Map<string, Buffer | string>> {
    const files = new Map<string, Buffer | string>()
    for (const { kind, connection_id, old_id, label, payload, choice } of items) {
      if (choice === 'skip') continue
      const wanted = this.#writers[kind as WrittenKind].listFiles?.({ old_id, label, payload: payload ?? {} }) ?? []
      for (const url of wanted) files.set(`${connection_id} ${url}`, await this.#fetchFile(connection_id, url))
    }
    return files
  }

  async #fetchFile(connection: number, url: string): Promise<Buffer | string> {
    try {
      const server = this.#servers.get(connection) ?? openLegacyServer(this.#context, this.#sources.get(connection)!)
      this.#servers.set(connection, server)
      return await (await server).readFile(url, 'an image')
    } catch (error) {
      if (!(error instanceof LegacyError) || this.#context.jobs.stopping.aborted) throw error
      return error.message
    }
  }
}

type WrittenValues = { row_id: number; becomes: 'new' | 'same'; replaced?: LegacyRow | null; kept: string | null }

const toWrittenValues = ({ id, kept, made, isOld = false }: WrittenThing): WrittenValues => ({
  row_id: id,
  ...(made && { replaced: made }),
  becomes: isOld ? 'same' : 'new',
  kept: kept ?? null,
})

const toThing = ({ old_id, label, payload }: Item): MovedThing => ({ old_id, label, payload: payload ?? {} })

export const isItem = ({ move_id, key }: Pick<Item, 'move_id' | 'key'>) =>
  and(eq(moveItemsTable.move_id, move_id), eq(moveItemsTable.key, key))

/** Locks the items that no other worker has written by now. */
function lockOpenItems(tx: Tx, items: Item[]): Promise<Item[]> {
  const keys = items.map(({ key }) => key)
  return tx
    .select()
    .from(moveItemsTable)
    .where(
      and(
        eq(moveItemsTable.move_id, items[0]!.move_id),
        inArray(moveItemsTable.key, keys),
        eq(moveItemsTable.state, 'open'),
      ),
    )
    .orderBy(asc(moveItemsTable.position))
    .for('update')
}

/** Why a thing was not written, as a sentence. */
function describeRefusal({ log }: AppContext, error: unknown): string {
  if (isUniqueViolation(error)) return 'Another one has the same name or number'
  if (!(error instanceof HttpError)) {
    log.error({ err: error }, 'move')
    return 'Not written: something went wrong'
  }
  const lines = Object.values(error.errors ?? {}).flat()
  return lines.length > 0 ? [...new Set(lines)].join('. ') : error.message
}
