import { and, type Column, eq, getTableColumns, inArray, or, type SQL, sql, type Table } from 'drizzle-orm'
import type {
  FieldDefinition,
  FieldDefinitions,
  FieldRow,
  FormField,
  RowField,
  SortName,
} from '#contract/field-definitions.ts'
import type { FilterDefinition, FilterDefinitions, FilterQuery } from '#contract/filter-definitions.ts'
import { containsFolded, isoInstantSql, textOrderSql } from './list-sql.ts'

/** Maps the definitions of fields and filters to SQL. A field is stored in the column of the same name, if there is one. */

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

function readColumn({ kind }: FieldDefinition, column: Column): SQL {
  if (kind === 'flag') return sql`${column}::int`
  return kind === 'instant' ? isoInstantSql(column) : sql`${column}`.mapWith(column)
}

/** Returns the selection for SQL written by hand: `… as "name", …`. */
export const joinSelection = (selection: Record<string, SQL.Aliased>): SQL =>
  sql.join(
    Object.values(selection).map(({ sql: value, fieldAlias }) => sql`${value} as ${sql.identifier(fieldAlias)}`),
    sql`, `,
  )

type GivenSorts<F, T extends Table> = Record<Exclude<SortName<F>, ColumnName<T>>, SQL> & Partial<Record<string, SQL>>

/** Returns the sort keys of a list, by the names of its sorts: text sorts as `textOrderSql` says. Sorts that are not columns are `given`. */
export function buildSortKeys<F extends FieldDefinitions, T extends Table>(
  fields: F,
  table: T,
  given: GivenSorts<F, T>,
): Record<SortName<F>, SQL> {
  const columns: Record<string, Column> = getTableColumns(table)
  const keys = Object.entries(fields).flatMap(([field, { kind, sort }]) => {
    if (!sort) return []
    const name = sort === true ? field : sort
    const isText = kind === 'text' || kind === 'longText' || kind === 'phone'
    return [[name, given[name] ?? (isText ? textOrderSql(sql`${columns[name]}`) : sql`${columns[name]}`)]]
  })
  return Object.fromEntries(keys) as Record<SortName<F>, SQL> // one for each sort
}

type FilterMatches<Filters> = {
  [Name in keyof Filters]: (value: NonNullable<FilterQuery<Filters>[Name]>) => SQL | undefined
}
type CustomFilter<Filters> = {
  [Name in keyof Filters]: Filters[Name] extends { kind: 'custom' } ? Name : never
}[keyof Filters]

/** Returns the condition of the filters that are set; undefined if none is. Custom filters need a condition in `given`. */
export function matchFilters<Filters extends FilterDefinitions>(
  filters: Filters,
  table: Table,
  query: FilterQuery<Filters>,
  given: Pick<FilterMatches<Filters>, CustomFilter<Filters>> & Partial<FilterMatches<Filters>>,
): SQL | undefined {
  const columns: Record<string, Column> = getTableColumns(table)
  const matches: { [name: string]: ((value: never) => SQL | undefined) | undefined } = given
  const values: Readonly<Record<string, unknown>> = query
  return and(
    ...Object.entries(filters).map(([name, filter]) => {
      const value = values[name]
      if (value === undefined || value === '') return undefined
      const match = matches[name]
      if (match) return match(value as never) // parsed by the filter's own schema
      return or(...(filter.columns ?? [name]).map((column) => matchColumn(filter, columns[column]!, value)))
    }),
  )
}

function matchColumn({ kind }: FilterDefinition, column: Column, value: unknown): SQL {
  if (kind === 'search') return containsFolded(sql`${column}`, String(value))
  if (Array.isArray(value)) return inArray(column, value)
  return eq(column, kind === 'check' ? true : value)
}

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
