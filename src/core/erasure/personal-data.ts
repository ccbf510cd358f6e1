import { getTableColumns, getTableName, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/db.ts'
import type { SecretBox } from '../secrets/secrets.ts'

/** Whose data is erased. */
export type ErasedPerson = {
  /** Finds their phones and emails in a text; for JavaScript and PostgreSQL, in any case. */
  pattern: string
  /** The rows that are about them as a whole, by the kind that the audit log calls them, with the fields that say who they are. */
  records: readonly { kind: string; ids: readonly number[]; fields: readonly string[] }[]
}

/** Where a domain keeps data of people outside the agency. `columns` and `kept` together are all its columns that hold text. */
export type PersonalData = {
  /** What a rehearsal calls it. */
  label: string
  table: PgTable
  /** Columns from which the person is erased. */
  columns: readonly string[]
  /** Columns that name no person, or none but staff and clients. */
  kept: readonly string[]
  /** Erases the person, and returns from how many rows. */
  erase(tx: Tx, person: ErasedPerson, secrets: SecretBox): Promise<number>
}

/** What stands where something was erased. */
export const erasedText = '[erased]'

export const findRecordIds = ({ records }: ErasedPerson, kind: string): number[] =>
  records.flatMap((one) => (one.kind === kind ? one.ids : []))

/** Describes a table whose rows are about other things and may mention people: the mention is erased, the rest of the text stays. */
export function describeMentions(
  label: string,
  table: PgTable,
  { columns, kept = [] }: { columns: readonly string[]; kept?: readonly string[] },
): PersonalData {
  return { label, table, columns, kept, erase: (tx, { pattern }) => eraseMentions(tx, table, columns, pattern) }
}

/** Erases mentions from these columns of a table, and returns from how many rows. `also` picks rows in which nothing need be mentioned. */
export async function eraseMentions(
  tx: Tx,
  table: PgTable,
  names: readonly string[],
  pattern: string,
): Promise<number> {
  const columns = names.map((name) => describeColumn(table, name))
  const set = sql.join(
    columns.map(({ name, erase }) => sql`${sql.identifier(name)} = ${erase(pattern)}`),
    sql`, `,
  )
  const mentioned = or(...columns.map(({ text }) => sql`${text} ~* ${pattern}`))
  const { rowCount } = await tx.execute(sql`update ${table} set ${set} where ${mentioned}`)
  return rowCount ?? 0
}

/** The condition that one of these columns mentions the person. */
export const mentionsPerson = (table: PgTable, names: readonly string[], { pattern }: ErasedPerson): SQL =>
  or(...names.map((name) => sql`${describeColumn(table, name).text} ~* ${pattern}`))!

function describeColumn(table: PgTable, name: string) {
  const column = getTableColumns(table)[name]
  if (!column) throw new Error(`${getTableName(table)} has no column ${name}`)
  const type = column.getSQLType()
  if (type === 'text')
    return { name, text: sql`${column}`, erase: (pattern: string) => eraseFromText(sql`${column}`, pattern) }
  if (type === 'text[]')
    return {
      name,
      text: sql`array_to_string(${column}, chr(10))`,
      erase: (pattern: string) =>
        sql`string_to_array(${eraseFromText(sql`array_to_string(${column}, chr(10))`, pattern)}, chr(10))`,
    }
  if (type === 'jsonb')
    return {
      name,
      text: sql`${column}::text`,
      erase: (pattern: string) => sql`erase_mentions(${column}, ${pattern}, ${erasedText})`,
    }
  // Bytes are replaced as a whole by those who know what they are.
  if (type === 'bytea') return { name, text: sql`encode(${column}, 'escape')`, erase: () => sql`${column}` }
  throw new Error(`${getTableName(table)}.${name} is ${type}`)
}

const eraseFromText = (text: SQL, pattern: string): SQL => sql`regexp_replace(${text}, ${pattern}, ${erasedText}, 'gi')`
