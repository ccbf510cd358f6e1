import { isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/db.ts'
import { auditTable, idempotencyTable } from '../db/schema.ts'
import { type ErasedPerson, erasedText, eraseMentions, type PersonalData } from '../erasure/personal-data.ts'

const auditColumns = ['before', 'after']

/** Values of the audit log. Its trigger allows no other change, and this one only within an erasure. */
export const corePersonalData: PersonalData[] = [
  {
    label: 'Values in the audit trail',
    table: auditTable,
    columns: auditColumns,
    kept: ['username', 'key_name', 'kind', 'action', 'request_id', 'address'],
    mentioning: auditColumns,
    erase: eraseAuditValues,
  },
  {
    label: 'Answers kept for a day',
    table: idempotencyTable,
    columns: [],
    kept: ['key', 'request', 'answer'],
    // All of them, and none is counted: only their callers would miss them, and only within minutes.
    erase: async (tx) => {
      await tx.delete(idempotencyTable).where(isNotNull(idempotencyTable.answer)) // not of those that are being made
      return 0
    },
  },
]

/** Erases the identifying fields from entries about the person's own rows, and mentions of the person from all others. */
async function eraseAuditValues(tx: Tx, person: ErasedPerson): Promise<number> {
  let count = 0
  for (const { kind, ids, fields } of person.records) {
    if (ids.length === 0) continue
    const erased = (value: 'before' | 'after') =>
      sql`erase_fields(${auditTable[value]}, ${sql.param([...fields])}::text[], ${erasedText})`
    const { rowCount } = await tx.execute(sql`
      update ${auditTable} set before = ${erased('before')}, after = ${erased('after')}
      where kind = ${kind} and row_id = any(${sql.param([...ids])}::int[])
        and (before ?| ${sql.param([...fields])}::text[] or after ?| ${sql.param([...fields])}::text[])`)
    count += rowCount ?? 0
  }
  return count + (await eraseMentions(tx, auditTable, auditColumns, person))
}
