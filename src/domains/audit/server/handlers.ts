import { type SQL, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import { matchFilters, selectFields } from '#core/db/field-columns.ts'
import { sortDirection } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { auditTable } from '#core/db/schema.ts'
import { implementContract } from '#domains/app-context.ts'
import { auditLogContract } from '../contract.ts'
import { auditFields, auditFilters } from '../fields.ts'

export const auditLogHandlers = implementContract(auditLogContract, {
  list: ({ db, query, context }) => {
    const where = buildAuditLogFilter(query, context.settings.AGENCY_TIMEZONE)
    const direction = sortDirection(query.order)
    const entries = db
      .select(selectFields(auditFields, auditTable, {}))
      .from(auditTable)
      .where(where)
      .orderBy(direction(auditTable.at), direction(auditTable.id))
    return readPage(entries, db.$count(auditTable, where), query)
  },

  // Skips from kind to kind in the index: a dozen kinds in millions of rows.
  kinds: async ({ db }) => {
    const { rows } = await db.execute<{ kind: string }>(sql`
      with recursive kinds as (
        (select kind from ${auditTable} order by kind limit 1)
        union all
        select (select kind from ${auditTable} where kind > kinds.kind order by kind limit 1) from kinds where kinds.kind is not null
      ) select kind from kinds where kind is not null`)
    return rows.map(({ kind }) => kind)
  },
})

function buildAuditLogFilter(query: QueryOf<typeof auditLogContract.list>, zone: string): SQL | undefined {
  const midnight = (day: string, days: number) =>
    sql`((${day}::date + ${sql.raw(String(days))})::timestamp at time zone ${zone})`
  return matchFilters(auditFilters, auditTable, query, {
    from: (from) => sql`${auditTable.at} >= ${midnight(from, 0)}`,
    to: (to) => sql`${auditTable.at} < ${midnight(to, 1)}`,
  })
}
