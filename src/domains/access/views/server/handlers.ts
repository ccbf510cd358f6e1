import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type AuditActor, diffFields, writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { textOrderSql } from '#core/db/list-sql.ts'
import { type FieldErrors, forbiddenError, notFoundError, validationError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import type { CurrentUser } from '../../server/current-user.ts'
import { createViewsContract, type SavedView, type ViewUpdate } from '../contract.ts'
import { sharingRoles } from '../labels.ts'
import { defaultViewsTable, viewsTable } from '../schema.ts'
import { getFilterSchemas, isSort, notFilters, readListOrder, type ViewedTable } from './viewed-table.ts'

const viewAuditKind = 'view'
type ViewRow = typeof viewsTable.$inferSelect
type StoredView = Omit<ViewRow, 'id' | 'user_id' | 'created_at'>

type ViewedTables = Readonly<Record<string, ViewedTable>>
/** Who reads views, and the lists that have them. */
type ViewReader = { me: CurrentUser; tables: ViewedTables }

export const createViewsHandlers = (tables: ViewedTables) =>
  implementContract(createViewsContract(z.enum(Object.keys(tables), 'There is no such table')), {
    list: ({ db, me, query: { table } }) => {
      if (!findViewedTable(tables, table).allow(me)) throw forbiddenError()
      return readViews(db, { me, tables }, and(eq(viewsTable.table, table), isVisibleTo(me)))
    },

    create: ({ db, me, body, actor }) =>
      db.transaction(async (tx) => {
        const { default: isDefault, ...view } = body
        if (!findViewedTable(tables, view.table).allow(me)) throw forbiddenError()
        if (view.shared !== null && !me.isSuperAdmin) throw forbiddenError({ shared: [sharingRefusal] })
        assertValidView(tables, view)
        const [made] = await tx
          .insert(viewsTable)
          .values({ ...view, user_id: me.id })
          .returning({ id: viewsTable.id })
        const { id } = made!
        await writeAudit(tx, actor, { kind: viewAuditKind, rowId: id, before: null, after: view })
        if (isDefault) await setDefaultView(tx, me, { id, table: view.table })
        return readView(tx, { me, tables }, id)
      }),

    update: ({ db, me, params, body, actor }) =>
      db.transaction(async (tx) => {
        const reader = { me, tables }
        const { row, seen } = await lockView(tx, reader, params.id)
        const { default: isDefault, ...wanted } = body
        if (seen.may_change) await changeView(tx, reader, row, wanted, actor)
        // Readers may only submit the view unchanged.
        else if (Object.keys(diffFields(seen, wanted).after).length > 0) throw forbiddenError()
        // A colleague's view that is no longer shared is out of this reader's sight.
        const isLeft = row.user_id !== me.id && wanted.shared === null
        if (isDefault === true && !isLeft) await setDefaultView(tx, me, row)
        if (isDefault === false) await tx.delete(defaultViewsTable).where(isDefaultOf(me, row))
        const [saved] = await readViews(tx, reader, eq(viewsTable.id, row.id))
        return saved!
      }),

    remove: ({ db, me, params, actor }) =>
      db.transaction(async (tx) => {
        const { row, seen } = await lockView(tx, { me, tables }, params.id)
        if (!seen.may_change) throw forbiddenError()
        await tx.delete(viewsTable).where(eq(viewsTable.id, row.id))
        await writeAudit(tx, actor, { kind: viewAuditKind, rowId: row.id, before: toStoredView(row), after: null })
      }),
  })

function findViewedTable(tables: ViewedTables, name: string): ViewedTable {
  const table = tables[name]
  if (!table) throw notFoundError() // a stored view of a list that is no longer declared
  return table
}

const sharingRefusal = 'Only super admins share views'

async function changeView(
  tx: Tx,
  { me, tables }: ViewReader,
  row: ViewRow,
  wanted: Omit<ViewUpdate, 'default'>,
  actor: AuditActor,
) {
  const before = toStoredView(row)
  const sent = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  const after: StoredView = { ...before, ...sent }
  if (after.shared !== before.shared && !me.isSuperAdmin) throw forbiddenError({ shared: [sharingRefusal] })
  if (after.table !== before.table) throw validationError({ table: ['A view stays with its list'] })
  assertValidView(tables, after)
  await tx.update(viewsTable).set(after).where(eq(viewsTable.id, row.id))
  await writeAudit(tx, actor, { kind: viewAuditKind, rowId: row.id, before, after })
}

const toStoredView = ({ id: _id, user_id: _user, created_at: _at, ...view }: ViewRow): StoredView => view

/** Throws 422 for filters and columns that the list does not have. Those that a reader may not use are left out on read. */
function assertValidView(tables: ViewedTables, { table, query, columns, sort }: StoredView) {
  const errors: FieldErrors = {}
  const list = findViewedTable(tables, table)
  const filters = getFilterSchemas(list)
  for (const [name, value] of Object.entries(query)) {
    if (notFilters.includes(name)) continue // accepted as part of a whole URL, and left out on read
    const parsed = filters.get(name)?.safeParse(value)
    if (!parsed) errors[`query.${name}`] = ['The list has no such filter']
    else if (!parsed.success) errors[`query.${name}`] = parsed.error.issues.map(({ message }) => message)
  }
  if (list.columns && !columns.every((column) => list.columns?.includes(column)))
    errors.columns = ['The list has no such column']
  if (sort !== null && !isSort(list, sort)) errors.sort = ['The list is not sorted by this']
  if (Object.keys(errors).length > 0) throw validationError(errors)
}

// ——— reading ———

/** The reader's own views, and those shared with their role; super admins see all shared views. */
const isVisibleTo = (me: CurrentUser) => {
  const role = sharingRoles.find((one) => one === me.role)
  const shared = me.isSuperAdmin ? sql`${viewsTable.shared} is not null` : role && eq(viewsTable.shared, role)
  return or(eq(viewsTable.user_id, me.id), shared)
}

const isDefaultOf = (me: CurrentUser, { id }: { id: number }) =>
  and(eq(defaultViewsTable.user_id, me.id), eq(defaultViewsTable.view_id, id))

const setDefaultView = (tx: Tx, me: CurrentUser, { id, table }: { id: number; table: string }) =>
  tx
    .insert(defaultViewsTable)
    .values({ user_id: me.id, table, view_id: id })
    .onConflictDoUpdate({ target: [defaultViewsTable.user_id, defaultViewsTable.table], set: { view_id: id } })

async function readViews(db: DbOrTx, reader: ViewReader, which: SQL | undefined): Promise<SavedView[]> {
  const isDefault = sql<boolean>`${defaultViewsTable.view_id} is not null`
  const found = await db
    .select({ row: viewsTable, isDefault })
    .from(viewsTable)
    .leftJoin(
      defaultViewsTable,
      and(eq(defaultViewsTable.view_id, viewsTable.id), eq(defaultViewsTable.user_id, reader.me.id)),
    )
    .where(which)
    .orderBy(sql`${isDefault} desc`, textOrderSql(viewsTable.name), viewsTable.id)
  return found.map(({ row, isDefault }) => toView(reader, row, isDefault))
}

async function readView(db: DbOrTx, reader: ViewReader, id: number): Promise<SavedView> {
  const [view] = await readViews(db, reader, and(eq(viewsTable.id, id), isVisibleTo(reader.me)))
  if (!view || !findViewedTable(reader.tables, view.table).allow(reader.me)) throw notFoundError()
  return view
}

async function lockView(tx: Tx, reader: ViewReader, id: number): Promise<{ row: ViewRow; seen: SavedView }> {
  const [row] = await tx.select().from(viewsTable).where(eq(viewsTable.id, id)).for('update')
  if (!row) throw notFoundError()
  return { row, seen: await readView(tx, reader, id) }
}

/** Leaves out what this reader may not use, and what the list no longer has. */
function toView({ me, tables }: ViewReader, row: ViewRow, isDefault: boolean): SavedView {
  const { id, name, table, shared, user_id } = row
  const list = findViewedTable(tables, table)
  const { columns: known, mayShow, findRefused } = list
  const filters = getFilterSchemas(list)
  const query = Object.entries(row.query).filter(([filter, value]) => {
    const parsed = filters.get(filter)?.safeParse(value)
    return parsed?.success && !findRefused?.(me, { [filter]: parsed.data }).includes(filter)
  })
  const { sort } = row
  const isLost = sort === null || !isSort(list, sort) || findRefused?.(me, { sort }).includes('sort')
  const order = isLost ? readListOrder(list) : { sort, order: row.order ?? readListOrder(list).order }
  return {
    id,
    name,
    table,
    query: Object.fromEntries(query),
    columns: row.columns.filter((column) => (known?.includes(column) ?? true) && (mayShow?.(me, column) ?? true)),
    ...order,
    shared,
    default: isDefault,
    may_change: shared === null ? user_id === me.id : me.isSuperAdmin,
  }
}
