import { isNull } from 'drizzle-orm'
import { textOrderSql } from '#core/db/list-sql.ts'
import { buildCrudHandlers } from '#core/http/crud-handlers.ts'
import { implementContract } from '#domains/app-context.ts'
import { teamsContract } from '../contract.ts'
import { teamsTable } from '../schema.ts'

const { id, name, version } = teamsTable

export const teamsHandlers = implementContract(
  teamsContract,
  buildCrudHandlers(teamsTable, {
    kind: 'team',
    kept: ['name'],
    select: (db) => db.select({ id, name, version }).from(teamsTable).$dynamic(),
    conflict: teamsContract.update,
    order: [textOrderSql(name)],
    scope: isNull(teamsTable.deleted_at),
    removed: () => ({ deleted_at: new Date() }),
  }),
)
