import { eq, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { type ToolLink, toolLinksContract } from '../contract.ts'
import { toolLinksTable } from '../schema.ts'

const toolLinkAuditKind = 'tool link'
const toolLinkColumns = { id: toolLinksTable.id, label: toolLinksTable.label, url: toolLinksTable.url }

export const toolLinksHandlers = implementContract(toolLinksContract, {
  create: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const position = sql`(select coalesce(max(position), 0) + 1 from tool_links)`
      const [link] = await tx
        .insert(toolLinksTable)
        .values({ ...body, position })
        .returning(toolLinkColumns)
      await writeAudit(tx, actor, { kind: toolLinkAuditKind, rowId: link!.id, before: null, after: body })
      return link!
    }),

  update: ({ db, params, body, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx
        .select(toolLinkColumns)
        .from(toolLinksTable)
        .where(eq(toolLinksTable.id, params.id))
        .for('update')
      if (!before) throw notFoundError()
      const [after] = await tx
        .update(toolLinksTable)
        .set(body)
        .where(eq(toolLinksTable.id, params.id))
        .returning(toolLinkColumns)
      await writeAudit(tx, actor, { kind: toolLinkAuditKind, rowId: params.id, before, after: body })
      return after!
    }),

  remove: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx
        .delete(toolLinksTable)
        .where(eq(toolLinksTable.id, params.id))
        .returning(toolLinkColumns)
      if (!before) throw notFoundError()
      await writeAudit(tx, actor, { kind: toolLinkAuditKind, rowId: params.id, before, after: null })
    }),
})

export const readToolLinks = (db: DbOrTx): Promise<ToolLink[]> =>
  db.select(toolLinkColumns).from(toolLinksTable).orderBy(toolLinksTable.position, toolLinksTable.id)
