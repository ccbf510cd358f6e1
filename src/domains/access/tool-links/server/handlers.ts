import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { buildCrudHandlers } from '#core/http/crud-handlers.ts'
import { implementContract } from '#domains/app-context.ts'
import { type ToolLink, toolLinksContract } from '../contract.ts'
import { toolLinksTable } from '../schema.ts'

const { id, label, url, version } = toolLinksTable

export const toolLinksHandlers = implementContract(
  toolLinksContract,
  buildCrudHandlers(toolLinksTable, {
    kind: 'tool link',
    kept: ['id', 'label', 'url'],
    select: selectToolLinks,
    conflict: toolLinksContract.update,
    defaults: { position: sql`(select coalesce(max(position), 0) + 1 from tool_links)` },
  }),
)

export const readToolLinks = (db: DbOrTx): Promise<ToolLink[]> =>
  selectToolLinks(db).orderBy(toolLinksTable.position, toolLinksTable.id)

function selectToolLinks(db: DbOrTx) {
  return db.select({ id, label, url, version }).from(toolLinksTable).$dynamic()
}
