import { and, eq, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ZodType } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { type AuditActor, writeAudit } from '../audit/write-audit.ts'
import type { Db, DbOrTx, Tx } from '../db/db.ts'
import { conflictError, isStale, notFoundError, staleVersionError } from './errors.ts'

type CrudTable = PgTable & { id: AnyPgColumn }
type RowsQuery<Row> = PromiseLike<Row[]> & {
  where: (
    condition: SQL | undefined,
  ) => PromiseLike<Row[]> & { orderBy: (...order: (SQL | AnyPgColumn)[]) => PromiseLike<Row[]> }
}
type Crud<T extends CrudTable, Me, Row> = {
  /** Its name in the audit log. */
  kind: string
  /** The columns that the entry of a removal keeps. */
  kept: readonly (keyof T['$inferSelect'] & string)[]
  /** Selects rows as this person sees them, in the shape of the contract. */
  select: (db: DbOrTx, me: Me) => RowsQuery<Row>
  order?: (SQL | AnyPgColumn)[]
  /** Matches the rows that exist for the calls. */
  scope?: SQL
  /** Columns of a new row besides the form. */
  defaults?: Partial<Record<keyof T['$inferInsert'], unknown>>
  /** Returns why a row cannot be removed: `used by 3 sites`. It is locked, so that nothing starts to use it. */
  describeUse?: (tx: Tx, id: number) => Promise<string | undefined>
  /** The call that refuses a save of an older version with the newer row. The table has a `version`. */
  conflict: Endpoint & { conflict: Record<string, ZodType> }
  /** Removes a row by setting these columns. */
  removed?: () => Partial<T['$inferInsert']>
}

type Call<Me> = { db: Db; me: Me; actor: AuditActor }
type IdCall<Me> = Call<Me> & { params: { id: number } }

/** Builds the handlers of a small table that people keep: each write is one transaction with its audit log entry. */
export function buildCrudHandlers<T extends CrudTable, Me, Row>(table: T, crud: Crud<T, Me, Row>) {
  const { kind, scope } = crud
  // The generic type of a table hides what its columns accept; the contract's form says it.
  const stored: CrudTable = table
  const isRow = (id: number) => and(eq(stored.id, id), scope)
  const find = async (db: DbOrTx, me: Me, id: number): Promise<Row> => {
    const [row] = await crud.select(db, me).where(isRow(id))
    if (!row) throw notFoundError()
    return row
  }
  /** Locks the row until the transaction ends. */
  const lock = async (tx: Tx, id: number): Promise<Record<string, unknown>> => {
    const [row] = await tx.select().from(stored).where(isRow(id)).for('update')
    if (!row) throw notFoundError()
    return row
  }
  return {
    list: async ({ db, me }: Call<Me>) =>
      crud
        .select(db, me)
        .where(scope)
        .orderBy(...(crud.order ?? []), stored.id),

    get: ({ db, me, params }: IdCall<Me>) => find(db, me, params.id),

    create: ({ db, me, body, actor }: Call<Me> & { body: Record<string, unknown> }) =>
      db.transaction(async (tx) => {
        const [made] = await tx
          .insert(stored)
          .values({ ...body, ...crud.defaults })
          .returning({ id: stored.id })
        const id = Number(made!.id)
        await writeAudit(tx, actor, { kind, rowId: id, before: null, after: body })
        return find(tx, me, id)
      }),

    update: ({ db, me, params: { id }, body, actor }: IdCall<Me> & { body: Record<string, unknown> }) =>
      db.transaction(async (tx) => {
        const before = await lock(tx, id)
        const { version: seen, ...form } = body
        if (isStale(seen, before.version))
          throw staleVersionError(crud.conflict, `Someone else has changed this ${kind}`, await find(tx, me, id))
        const next = { version: Number(before.version) + 1 }
        await tx
          .update(stored)
          .set({ ...form, ...next })
          .where(eq(stored.id, id))
        await writeAudit(tx, actor, { kind, rowId: id, before, after: form, ...next })
        return find(tx, me, id)
      }),

    remove: ({ db, params: { id }, actor }: IdCall<Me>) =>
      db.transaction(async (tx) => {
        const row = await lock(tx, id)
        const use = await crud.describeUse?.(tx, id)
        if (use) throw conflictError(use)
        await (crud.removed ? tx.update(stored).set(crud.removed()) : tx.delete(stored)).where(eq(stored.id, id))
        const before = Object.fromEntries(crud.kept.map((name) => [name, row[name]]))
        await writeAudit(tx, actor, { kind, rowId: id, before, after: null })
      }),
  }
}
