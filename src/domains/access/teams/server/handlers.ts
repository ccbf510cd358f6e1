import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { teams as contract } from '../contract.ts'
import { teams } from '../schema.ts'

const kind = 'team'
const columns = { id: teams.id, name: teams.name }

export const teamsCalls = implement(contract, {
  list: ({ db }) =>
    db
      .select(columns)
      .from(teams)
      .where(isNull(teams.deleted_at))
      .orderBy(asc(sql`lower(${teams.name})`), teams.id),

  create: ({ db, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx.insert(teams).values(body).returning(columns)
      await record(tx, actor, { kind, rowId: made!.id, before: null, after: body })
      return made!
    }),

  update: ({ db, params, body, actor }) =>
    db.transaction(async (tx) => {
      const before = await teamToChange(tx, params.id)
      const [changed] = await tx.update(teams).set(body).where(eq(teams.id, params.id)).returning(columns)
      await record(tx, actor, { kind, rowId: params.id, before, after: body })
      return changed!
    }),

  remove: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const { name } = await teamToChange(tx, params.id)
      await tx.update(teams).set({ deleted_at: new Date() }).where(eq(teams.id, params.id))
      await record(tx, actor, { kind, rowId: params.id, before: { name }, after: null })
      return undefined
    }),
})

async function teamToChange(tx: Tx, id: number) {
  const [team] = await tx
    .select(columns)
    .from(teams)
    .where(and(eq(teams.id, id), isNull(teams.deleted_at)))
    .for('update')
  if (!team) throw notFound()
  return team
}
