import { type GetColumnData, getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { DbOrTx } from './db.ts'

type ReturnedRow<Columns extends Record<string, PgColumn>> = { [Name in keyof Columns]: GetColumnData<Columns[Name]> }

/**
 * Inserts many rows as one parameter, in their order, and returns these columns of them. Drizzle's own insert makes a parameter of each
 * value: in a table of forty columns, building and parsing those takes longer than the insert itself. Values are dates or whatever JSON
 * holds; a missing one is the column's default.
 */
export async function insertRows<Table extends PgTable, Columns extends Record<string, PgColumn>>(
  db: DbOrTx,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  returning: Columns,
): Promise<ReturnedRow<Columns>[]> {
  const given = Object.entries<PgColumn>(getTableColumns(table)).filter(([key]) =>
    rows.some((row) => readValue(row, key) !== undefined),
  )
  const values = rows.map((row) =>
    Object.fromEntries(given.map(([key, column]) => [column.name, readValue(row, key) ?? getPlainDefault(column)])),
  )
  const list = (toSql: (column: PgColumn) => SQL) =>
    sql.join(
      given.map(([, column]) => toSql(column)),
      sql`, `,
    )
  const returned = sql.join(
    Object.entries(returning).map(([key, column]) => sql`${sql.identifier(column.name)} as ${sql.identifier(key)}`),
    sql`, `,
  )
  const inserted = await db.execute(sql`
    insert into ${table} (${list(toIdentifier)})
    select ${list(toSelected)} from json_to_recordset(${JSON.stringify(values)}) given (${list(toTyped)})
    returning ${returned}`)
  return inserted.rows.map((row) => readReturned(row, returning))
}

const readValue = (row: object, key: string): unknown => (row as Record<string, unknown>)[key]

/** Null where the column has no default, or one that PostgreSQL computes. */
const getPlainDefault = ({ default: value }: PgColumn): unknown => (is(value, SQL) ? null : (value ?? null))

const toIdentifier = ({ name }: PgColumn) => sql`${sql.identifier(name)}`
const toTyped = (column: PgColumn) => sql`${toIdentifier(column)} ${sql.raw(column.getSQLType())}`
const toSelected = (column: PgColumn) =>
  column.notNull && is(column.default, SQL)
    ? sql`coalesce(${toIdentifier(column)}, ${column.default})`
    : toIdentifier(column)

const readReturned = <Columns extends Record<string, PgColumn>>(row: Record<string, unknown>, columns: Columns) =>
  Object.fromEntries(
    Object.entries(columns).map(([key, column]) => {
      const value = row[key]
      return [key, value === null ? null : column.mapFromDriverValue(value)]
    }),
  ) as ReturnedRow<Columns> // PostgreSQL returns the columns that it was asked for
