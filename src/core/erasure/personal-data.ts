import { and, getTableColumns, getTableName, or, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/db.ts'
import type { SecretBox } from '../secrets/secrets.ts'

/** Finds the phones and emails of a person in a text. */
export type PersonSearch = {
  /** A case-insensitive regular expression for JavaScript and PostgreSQL. */
  pattern: string
  /** `LIKE` patterns: each text that `pattern` matches, in lower case, matches at least one of them. */
  hints: readonly string[]
  /** A much faster regular expression that matches wherever `pattern` does, and sometimes elsewhere. */
  loosePattern: string
}

/** The same, with the rows that mention the person in tables that are searched before anything is locked. */
export type PersonMentions = PersonSearch & { mentions: ReadonlyMap<PgTable, SQL> }

/** The person whose data is erased. */
export type ErasedPerson = PersonMentions & {
  /** The rows that are entirely about the person, by their kind in the audit log, with the fields that identify the person. */
  records: readonly { kind: string; ids: readonly number[]; fields: readonly string[] }[]
}

/** A table with data about people outside the agency. `columns` and `kept` together are all its text columns. */
export type PersonalData = {
  /** Its name in the rehearsal of an erasure. */
  label: string
  table: PgTable
  /** Columns from which the person is erased. */
  columns: readonly string[]
  /** Columns that name no person, or only staff and clients. */
  kept: readonly string[]
  /** Columns of growing tables that are searched for mentions beforehand, so that nothing is locked for long. */
  mentioning?: readonly string[]
  /** Erases the person and returns the number of changed rows. */
  erase(tx: Tx, person: ErasedPerson, secrets: SecretBox): Promise<number>
}

/** The replacement for erased text. */
export const erasedText = '[erased]'

export const findRecordIds = ({ records }: ErasedPerson, kind: string): number[] =>
  records.flatMap((one) => (one.kind === kind ? one.ids : []))

/** Describes a table whose rows only mention people: the mention is erased, the rest of the text stays. */
export function describeMentions(
  label: string,
  table: PgTable,
  { columns, kept = [], isVersioned }: { columns: readonly string[]; kept?: readonly string[]; isVersioned?: boolean },
): PersonalData {
  return {
    label,
    table,
    columns,
    kept,
    mentioning: columns,
    erase: (tx, person) => eraseMentions(tx, table, columns, person, isVersioned),
  }
}

/** Finds the rows that mention the person. An aggregate, because PostgreSQL reads a table in parallel for that, but never for an update. */
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

/**
 * Erases mentions from these columns of a table and returns the number of changed rows. Rows that are `isVersioned` get a new version: a form
 * that was opened before would write the mention back.
 */
export async function eraseMentions(
  tx: Tx,
  table: PgTable,
  names: readonly string[],
  person: ErasedPerson,
  isVersioned = false,
): Promise<number> {
  const columns = names.map((name) => describeColumn(table, name))
  const set = sql.join(
    [
      ...columns.map(({ name, erase }) => sql`${sql.identifier(name)} = ${erase(person.pattern)}`),
      ...(isVersioned ? [sql`version = version + 1`] : []),
    ],
    sql`, `,
  )
  const { rowCount } = await tx.execute(sql`update ${table} set ${set} where ${mentionsPerson(table, names, person)}`)
  return rowCount ?? 0
}

/**
 * Returns the condition that one of these columns mentions the person. `case` tries the cheap hints and the loose pattern on all of them
 * together before the slow pattern on each: unpacking a long text takes longer than reading it.
 */
export function mentionsPerson(
  table: PgTable,
  names: readonly string[],
  { pattern, hints, loosePattern, mentions }: PersonSearch & Partial<PersonMentions>,
): SQL {
  const texts = names.map((name) => describeColumn(table, name).text)
  // Not concat_ws, which is not immutable: an update of a distributed table refuses that in a `case`.
  const whole = sql`(${sql.join(
    texts.map((text) => sql`coalesce(${text}, '')`),
    sql` || ' ' || `,
  )})`
  return and(
    mentions?.get(table),
    sql`case when lower(${whole}) like any (${sql.param([...hints])}::text[])
      then case when ${whole} ~* ${loosePattern} then ${or(...texts.map((text) => sql`${text} ~* ${pattern}`))} end end`,
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
  // Bytes are not changed here: only their domain knows their format.
  if (type === 'bytea') return { name, text: sql`encode(${column}, 'escape')`, erase: () => sql`${column}` }
  throw new Error(`${getTableName(table)}.${name} is ${type}`)
}

const eraseFromText = (text: SQL, pattern: string): SQL => sql`regexp_replace(${text}, ${pattern}, ${erasedText}, 'gi')`
