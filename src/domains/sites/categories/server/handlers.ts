import { asc, eq, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { lowerSql } from '#core/db/list-sql.ts'
import { conflictError, notFoundError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { networkCategoriesContract } from '../contract.ts'
import { networkCategoriesTable } from '../schema.ts'

const networkCategoryAuditKind = 'network category'

export const networkCategoriesHandlers = implementContract(networkCategoriesContract, {
  list: ({ db }) =>
    selectNetworkCategories(db).orderBy(asc(lowerSql(networkCategoriesTable.name)), networkCategoriesTable.id),

  create: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx.insert(networkCategoriesTable).values(body).returning()
      await writeAudit(tx, actor, { kind: networkCategoryAuditKind, rowId: made!.id, before: null, after: body })
      return readNetworkCategory(tx, made!.id)
    }),

  update: ({ db, params, body, actor }) =>
    db.transaction(async (tx) => {
      const before = await lockNetworkCategory(tx, params.id)
      await tx.update(networkCategoriesTable).set(body).where(eq(networkCategoriesTable.id, params.id))
      await writeAudit(tx, actor, { kind: networkCategoryAuditKind, rowId: params.id, before, after: body })
      return readNetworkCategory(tx, params.id)
    }),

  remove: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const before = await lockNetworkCategory(tx, params.id)
      const used = await tx.$count(networkSitesTable, eq(networkSitesTable.category_id, params.id))
      if (used > 0) throw conflictError(`This category is used by ${used} ${used === 1 ? 'site' : 'sites'}`)
      await tx.delete(networkCategoriesTable).where(eq(networkCategoriesTable.id, params.id))
      await writeAudit(tx, actor, {
        kind: networkCategoryAuditKind,
        rowId: params.id,
        before: { name: before.name },
        after: null,
      })
    }),
})

const selectNetworkCategories = (db: DbOrTx) =>
  db
    .select({
      id: networkCategoriesTable.id,
      name: networkCategoriesTable.name,
      sites_count: sql<number>`(select count(*)::int from network_sites s where s.category_id = network_categories.id)`,
    })
    .from(networkCategoriesTable)
    .$dynamic()

async function readNetworkCategory(tx: Tx, id: number) {
  const [category] = await selectNetworkCategories(tx).where(eq(networkCategoriesTable.id, id))
  return category!
}

/** Locks the category until the transaction ends, so that no site is added to a category being removed. */
async function lockNetworkCategory(tx: Tx, id: number) {
  const [category] = await tx
    .select()
    .from(networkCategoriesTable)
    .where(eq(networkCategoriesTable.id, id))
    .for('update')
  if (!category) throw notFoundError()
  return category
}
