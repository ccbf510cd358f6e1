import { eq, sql } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { textOrderSql } from '#core/db/list-sql.ts'
import { buildCrudHandlers } from '#core/http/crud-handlers.ts'
import { implementContract } from '#domains/app-context.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { networkCategoriesContract } from '../contract.ts'
import { networkCategoriesTable } from '../schema.ts'

const { id, name, version } = networkCategoriesTable
const sitesCountSql = sql<number>`(select count(*)::int from network_sites s where s.category_id = network_categories.id)`

export const networkCategoriesHandlers = implementContract(
  networkCategoriesContract,
  buildCrudHandlers(networkCategoriesTable, {
    kind: 'network category',
    kept: ['name'],
    select: (db) =>
      db.select({ id, name, sites_count: sitesCountSql, version }).from(networkCategoriesTable).$dynamic(),
    conflict: networkCategoriesContract.update,
    order: [textOrderSql(name)],
    describeUse: async (tx, categoryId) => {
      const used = await tx.$count(networkSitesTable, eq(networkSitesTable.category_id, categoryId))
      return used > 0 ? `This category is used by ${countOf(used, 'site')}` : undefined
    },
  }),
)
