import { and, getTableColumns, getTableName, or, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/db.ts'
import type { SecretBox } from '../secrets/secrets.ts'

/** Finds phones and emails of a person in a text. */
export type PersonSearch = {
  /** For JavaScript and PostgreSQL, in any case. */
  pattern: string
  /** Of which at least one is in each text that the pattern is in, once that is in lower case: patterns of `LIKE`. */
  hints: readonly string[]
}

/** Whose data is erased. */
export type ErasedPerson = PersonSearch & {
  /** The rows that are about them as a whole, by the kind that the audit log calls them, with the fields that say who they are. */
  records: readonly { kind: string; ids: readonly number[]; fields: readonly string[] }[]
  /** The rows that mention them, of the tables that are looked through before anything is locked. */
  mentions: ReadonlyMap<PgTable, SQL>
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
  /** Columns that are looked through for mentions, of tables that grow: beforehand, so that nothing is locked for that long. */
  mentioning?: readonly string[]
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
  return {
    label,
    table,
    columns,
    kept,
    mentioning: columns,
    erase: (tx, person) => eraseMentions(tx, table, columns, person),
  }
}

/** Reads which rows mention the person. For an aggregate PostgreSQL reads a large table with several processes, and never for what it changes. */
export async function findMentions(
  tx: Tx,
  search: PersonSearch,
  data: readonly PersonalData[],
): Promise<Map<PgTable, SQL>> {
  const found = new Map<PgTable, SQL>()
  for (const { table, mentioning } of data) {
    if (!mentioning) continue
    const keys = findPrimaryKey(table)
    const values = keys.map((key) => sql`array_agg(${key}::text) as ${sql.identifier(key.name)}`)
    const { rows } = await tx.execute<Record<string, string[] | null>>(
      sql`select ${sql.join(values, sql`, `)} from ${table} where ${mentionsPerson(table, mentioning, search)}`,
    )
    const isFound = (key: PgColumn) =>
      sql`${key} = any(${sql.param(rows[0]![key.name] ?? [])}::${sql.raw(key.getSQLType())}[])`
    found.set(table, and(...keys.map(isFound))!)
  }
  return found
}

function findPrimaryKey(table: PgTable): PgColumn[] {
  const named = getTableConfig(table).primaryKeys[0]?.columns.map(({ name }) => name)
  const keys = Object.values(getTableColumns(table)).filter(({ name, primary }) => named?.includes(name) ?? primary)
  if (keys.length === 0) throw new Error(`${getTableName(table)} has no primary key`)
  return keys
}

/** Erases mentions from these columns of a table, and returns from how many rows. */
export async function eraseMentions(
  tx: Tx,
  table: PgTable,
  names: readonly string[],
  person: ErasedPerson,
): Promise<number> {
  const columns = names.map((name) => describeColumn(table, name))
  const set = sql.join(
    columns.map(({ name, erase }) => sql`${sql.identifier(name)} = ${erase(person.pattern)}`),
    sql`, `,
  )
  const { rowCount } = await tx.execute(sql`update ${table} set ${set} where ${mentionsPerson(table, names, person)}`)
  return rowCount ?? 0
}

/** The condition that one of these columns mentions the person. The pattern is dear: `case` sees to it that the hints are asked before it. */
export function mentionsPerson(
  table: PgTable,
  names: readonly string[],
  { pattern, hints, mentions }: PersonSearch & Partial<ErasedPerson>,
): SQL {
  const texts = names.map((name) => describeColumn(table, name).text)
  const isHinted = (text: SQL) => sql`lower(${text}) like any (${sql.param([...hints])}::text[])`
  return and(
    mentions?.get(table),
    sql`case when ${isHinted(sql`concat_ws(' ', ${sql.join(texts, sql`, `)})`)}
      then ${or(...texts.map((text) => sql`case when ${isHinted(text)} then ${text} ~* ${pattern} end`))} end`,
  )!
}

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
