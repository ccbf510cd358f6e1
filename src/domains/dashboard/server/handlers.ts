import { eq, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import { notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { toolLinks as contract } from '../contract.ts'
import { toolLinks } from '../schema.ts'

const kind = 'tool link'
const row = { id: toolLinks.id, label: toolLinks.label, url: toolLinks.url }

export const toolLinksCalls = implement(contract, {
  create: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const position = sql`(select coalesce(max(position), 0) + 1 from tool_links)`
      const [link] = await tx
        .insert(toolLinks)
        .values({ ...body, position })
        .returning(row)
      await record(tx, actor, { kind, rowId: link!.id, before: null, after: body })
      return link!
    }),

  update: ({ db, params, body, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx.select(row).from(toolLinks).where(eq(toolLinks.id, params.id)).for('update')
      if (!before) throw notFound()
      const [after] = await tx.update(toolLinks).set(body).where(eq(toolLinks.id, params.id)).returning(row)
      await record(tx, actor, { kind, rowId: params.id, before, after: body })
      return after!
    }),

  remove: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx.delete(toolLinks).where(eq(toolLinks.id, params.id)).returning(row)
      if (!before) throw notFound()
      await record(tx, actor, { kind, rowId: params.id, before, after: null })
      return undefined
    }),
})
