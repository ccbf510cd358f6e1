import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { teamsContract } from '../contract.ts'
import { teamsTable } from '../schema.ts'

const teamAuditKind = 'team'
const teamColumns = { id: teamsTable.id, name: teamsTable.name }

export const teamsHandlers = implementContract(teamsContract, {
  list: ({ db }) =>
    db
      .select(teamColumns)
      .from(teamsTable)
      .where(isNull(teamsTable.deleted_at))
      .orderBy(asc(sql`lower(${teamsTable.name})`), teamsTable.id),

  create: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx.insert(teamsTable).values(body).returning(teamColumns)
      await writeAudit(tx, actor, { kind: teamAuditKind, rowId: made!.id, before: null, after: body })
      return made!
    }),

  update: ({ db, params, body, actor }) =>
    db.transaction(async (tx) => {
      const before = await lockTeam(tx, params.id)
      const [changed] = await tx.update(teamsTable).set(body).where(eq(teamsTable.id, params.id)).returning(teamColumns)
      await writeAudit(tx, actor, { kind: teamAuditKind, rowId: params.id, before, after: body })
      return changed!
    }),

  remove: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const { name } = await lockTeam(tx, params.id)
      await tx.update(teamsTable).set({ deleted_at: new Date() }).where(eq(teamsTable.id, params.id))
      await writeAudit(tx, actor, { kind: teamAuditKind, rowId: params.id, before: { name }, after: null })
    }),
})

async function lockTeam(tx: Tx, id: number) {
  const [team] = await tx
    .select(teamColumns)
    .from(teamsTable)
    .where(and(eq(teamsTable.id, id), isNull(teamsTable.deleted_at)))
    .for('update')
  if (!team) throw notFoundError()
  return team
}
