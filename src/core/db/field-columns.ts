import { type Column, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm'
import type { FieldDefinition, FieldDefinitions, FieldRow, FormField, RowField } from '#contract/field-definitions.ts'

/** Maps field definitions to SQL for rows and forms. A field is stored in the column of the same name, if there is one. */

type ColumnName<T extends Table> = keyof T['$inferSelect'] & string
/** SQL of the fields without a column, and of those whose value differs from the stored one. */
type ComputedFields<F, T extends Table> = Record<Exclude<RowField<F>, ColumnName<T>>, SQL> &
  Partial<Record<RowField<F>, SQL>>
type FieldSelection<F> = { [Name in RowField<F>]: SQL.Aliased<FieldRow<F>[Name]> }

/** Returns the `select` of whole rows. Flags are 0 or 1. */
export function selectFields<F extends FieldDefinitions, T extends Table>(
  fields: F,
  table: T,
  computed: ComputedFields<F, T>,
): FieldSelection<F> {
  const columns: Record<string, Column> = getTableColumns(table)
  const given: Record<string, SQL | undefined> = computed
  const selected = Object.entries(fields)
    .filter(([, field]) => field.row)
    .map(([name, field]) => [name, (given[name] ?? readColumn(field, columns[name]!)).as(name)])
  return Object.fromEntries(selected) as FieldSelection<F> // each has the alias of its field
}

const readColumn = ({ kind }: FieldDefinition, column: Column) =>
  kind === 'flag' ? sql`${column}::int` : sql`${column}`.mapWith(column)

/** Returns the selection for SQL written by hand: `… as "name", …`. */
export const joinSelection = (selection: Record<string, SQL.Aliased>): SQL =>
  sql.join(
    Object.values(selection).map(({ sql: value, fieldAlias }) => sql`${value} as ${sql.identifier(fieldAlias)}`),
    sql`, `,
  )

/** Returns the sort key of a column: text sorts case-insensitively. */
export const getSortKey = ({ kind }: FieldDefinition, column: Column): SQL =>
  kind === 'text' ? sql`lower(${column})` : sql`${column}`

type FlagField<F> = { [Name in keyof F]: F[Name] extends { kind: 'flag' } ? Name : never }[keyof F]
type StoredForm<F, Row> = {
  [Name in FormField<F> & keyof Row]: Name extends FlagField<F> ? 0 | 1 : Row[Name]
}

/** Returns the form values that are stored in columns of `row`. */
export function readStoredForm<F extends FieldDefinitions, Row extends object>(fields: F, row: Row) {
  const stored = Object.entries(row).filter(([name]) => fields[name]?.form)
  const values = stored.map(([name, value]) => [name, fields[name]?.kind === 'flag' ? Number(value) : value])
  return Object.fromEntries(values) as StoredForm<F, Row> // the same conditions as in the type
}

type FormColumns<F, T extends Table, Form> = {
  [Name in keyof Form as Name extends ColumnName<T> & FormField<F> ? Name : never]: Name extends FlagField<F>
    ? Extract<Form[Name], undefined> | boolean
    : Form[Name]
}

/** Returns the column values of a form or a part of it; fields without a column are left to the caller. */
export function toColumnValues<F extends FieldDefinitions, T extends Table, Form extends object>(
  fields: F,
  table: T,
  form: Form,
) {
  const columns: Record<string, Column> = getTableColumns(table)
  const written = Object.entries(form).filter(
    ([name, value]) => columns[name] && fields[name]?.form && value !== undefined,
  )
  const values = written.map(([name, value]) => [name, fields[name]?.kind === 'flag' ? value === 1 : value])
  return Object.fromEntries(values) as FormColumns<F, T, Form> // the same conditions as in the type
}
