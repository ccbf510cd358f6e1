import { asc, eq, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import type { Queries, Tx } from '#core/db/db.ts'
import { folded } from '#core/db/list-sql.ts'
import { conflict, notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { networkSites } from '#domains/sites/network/schema.ts'
import { networkCategories as contract } from '../contract.ts'
import { networkCategories } from '../schema.ts'

const kind = 'network category'

export const networkCategoriesCalls = implement(contract, {
  list: ({ db }) => categories(db).orderBy(asc(folded(networkCategories.name)), networkCategories.id),

  create: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx.insert(networkCategories).values(body).returning()
      await record(tx, actor, { kind, rowId: made!.id, before: null, after: body })
      return read(tx, made!.id)
    }),

  update: ({ db, params, body, actor }) =>
    db.transaction(async (tx) => {
      const before = await lock(tx, params.id)
      await tx.update(networkCategories).set(body).where(eq(networkCategories.id, params.id))
      await record(tx, actor, { kind, rowId: params.id, before, after: body })
      return read(tx, params.id)
    }),

  remove: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const before = await lock(tx, params.id)
      const used = await tx.$count(networkSites, eq(networkSites.category_id, params.id))
      if (used > 0) throw conflict(`This category is used by ${used} ${used === 1 ? 'site' : 'sites'}`)
      await tx.delete(networkCategories).where(eq(networkCategories.id, params.id))
      await record(tx, actor, { kind, rowId: params.id, before: { name: before.name }, after: null })
      return undefined
    }),
})

const categories = (db: Queries) =>
  db
    .select({
      id: networkCategories.id,
      name: networkCategories.name,
      sites_count: sql<number>`(select count(*)::int from network_sites s where s.category_id = network_categories.id)`,
    })
    .from(networkCategories)
    .$dynamic()

async function read(tx: Tx, id: number) {
  const [category] = await categories(tx).where(eq(networkCategories.id, id))
  return category!
}

/** Held until the transaction ends, so that no site comes to a category that goes. */
async function lock(tx: Tx, id: number) {
  const [category] = await tx.select().from(networkCategories).where(eq(networkCategories.id, id)).for('update')
  if (!category) throw notFound()
  return category
}
