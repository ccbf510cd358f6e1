import { z } from 'zod'
import type { AccessRule, AccessSubject } from './allow.ts'
import type { FilterDefinition } from './filter-definitions.ts'

/**
 * The fields of an entity, each defined once, in the order of forms, tables and files. Schemas, controls, columns, sorts, filters,
 * imports and exports are derived from these definitions. A `custom` field (a relation, a secret) gets its control, its cell and its
 * SQL by name, where they are built.
 */

/** How a value is edited, stored, sorted, shown and read from a file. An instant is ISO 8601 in UTC. */
type FieldKind =
  | 'text'
  | 'longText'
  | 'link'
  | 'phone'
  | 'count'
  | 'money'
  | 'date'
  | 'instant'
  | 'flag'
  | 'choice'
  | 'custom'

export type FieldDefinition = {
  kind: FieldKind
  /** Label in the form. */
  label: string
  /** Schema in responses. A field without it is write-only. */
  row?: z.ZodType
  /** Schema in forms, with its error messages. A field without it is read-only. */
  form?: z.ZodType
  /** Width in the form. */
  width?: 'half' | 'whole'
  /** Its column in the table and in the CSV file, with its title if that is not the label. */
  column?: true | string | ColumnLayout
  /** The name by which the list sorts; true uses the field's own. */
  sort?: true | string
  /** How the list is filtered by it; the parameter has the field's name. */
  filter?: FilterDefinition
  /** Can be read from a CSV file. */
  import?: true | FieldImport
  /** For a choice: the label of each value. */
  choices?: Readonly<Record<string, string>>
  /** Who, among users who may read the row, may read the field. */
  readableBy?: AccessRule
  /** Who, among users who may change the row, may change the field. */
  writableBy?: AccessRule
}
/** As in `TableColumn`. */
type ColumnLayout = {
  title?: string
  width?: number
  pinned?: 'start'
  telling?: true
  /** A column that only the table has, or only the file. */
  only?: 'table' | 'file'
}
type FieldImport = {
  /** Whether a value names another row, for which the file may have a name of its own. */
  isReference?: boolean
  /** Whether a value is a password or a key. */
  isSecret?: boolean
  /** Whether a file must have the column; by default, if the form requires the field. */
  required?: boolean
  /** Name in the import, if it differs from the field's. */
  name?: string
  /** Reads a cell that is not written as its kind is. */
  parse?: (cell: string) => unknown
  /** Other column titles that files use. */
  also?: readonly string[]
  /** Describes the accepted formats. */
  about?: string
  /** The only accepted values, if they are few. */
  choices?: readonly string[]
}
export type FieldDefinitions = Readonly<Record<string, FieldDefinition>>

/** Checks the definitions and keeps their exact types. */
export const defineFields = <const F extends FieldDefinitions>(fields: F): F => fields

/** A column by which the list sorts. */
export const sortedColumn = { column: true, sort: true } as const

/** Names of the fields with a `row`, a `form`, a `column`, or an `import`. */
export type RowField<F> = NamesWith<F, { row: z.ZodType }>
export type FormField<F> = NamesWith<F, { form: z.ZodType }>
export type ColumnField<F> = NamesWith<F, { column: true | string | ColumnLayout }>
export type TableField<F> = Exclude<ColumnField<F>, NamesWith<F, { column: { only: 'file' } }>>
export type FileField<F> = Exclude<ColumnField<F>, NamesWith<F, { column: { only: 'table' } }>>
export type ImportedField<F> = NamesWith<F, { import: true | FieldImport }>
export type CustomField<F> = NamesWith<F, { kind: 'custom' }>
export type NamesWith<F, Part> = { [Name in keyof F]: F[Name] extends Part ? Name : never }[keyof F] & string

export const isReadable = ({ readableBy }: FieldDefinition, me: AccessSubject) => readableBy?.(me) ?? true
export const isWritable = ({ writableBy }: FieldDefinition, me: AccessSubject) => writableBy?.(me) ?? true

// ——— schemas ———

export type RowShape<F> = {
  -readonly [Name in RowField<F>]: F[Name] extends { row: infer Row extends z.ZodType } ? Row : never
}
type FormShape<F> = {
  -readonly [Name in FormField<F>]: F[Name] extends { form: infer Form extends z.ZodType } ? Form : never
}
/** A row with the fields that its definitions describe. */
export type FieldRow<F> = { [Name in keyof RowShape<F>]: z.output<RowShape<F>[Name]> }
/** The value of a form control: as sent, or for a preprocessed field as parsed. */
export type FieldValue<F, Name extends FormField<F>> = NonNullable<
  unknown extends z.input<FormShape<F>[Name]> ? z.output<FormShape<F>[Name]> : z.input<FormShape<F>[Name]>
>

/** Returns the shape of a row, for `z.object`. */
export const getRowShape = <F extends FieldDefinitions>(fields: F) => pickSchemas(fields, 'row') as RowShape<F>
/** Returns the shape of a form, for `z.strictObject`. */
export const getFormShape = <F extends FieldDefinitions>(fields: F) => pickSchemas(fields, 'form') as FormShape<F>

type WithoutDefaults<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodDefault<infer Inner extends z.ZodType> ? Inner : Shape[Name]
}
/** Removes the defaults of a form, for partial updates: missing fields must stay unchanged. */
export const removeDefaults = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, schema instanceof z.ZodDefault ? schema.unwrap() : schema]),
  ) as WithoutDefaults<Shape> // the same condition as in the type

/** Untyped: the two callers above know which fields have this part. */
const pickSchemas = (fields: FieldDefinitions, part: 'row' | 'form'): unknown =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (field[part] ? [[name, field[part]]] : [])))

// ——— lists ———

export type SortName<F> = {
  [Name in keyof F]: F[Name] extends { sort: infer Sort } ? (Sort extends string ? Sort : Name) : never
}[keyof F] &
  string

/** Returns the names by which the list sorts, for `pagedQuery`. */
export function listSorts<F extends FieldDefinitions>(fields: F): readonly [SortName<F>, ...SortName<F>[]] {
  const sorts = Object.entries(fields).flatMap(([name, { sort }]) => (sort ? [sort === true ? name : sort] : []))
  return sorts as [SortName<F>, ...SortName<F>[]] // the same condition as in the type
}

type FilterField<F> = NamesWith<F, { filter: FilterDefinition }>
export type FieldFilters<F> = {
  [Name in FilterField<F>]: F[Name] extends { filter: infer Filter extends FilterDefinition } ? Filter : never
}

/** Returns the filters of a list, labeled like their fields, in their order. */
export const listFilters = <F extends FieldDefinitions>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { label, filter }]) => (filter ? [[name, { label, ...filter }]] : [])),
  ) as FieldFilters<F> // the same condition as in the type

/** Returns the title and the layout of a field's column. */
export const getColumnLayout = ({ column, label }: FieldDefinition): ColumnLayout & { title: string } =>
  typeof column === 'object' ? { title: label, ...column } : { title: typeof column === 'string' ? column : label }
export const getColumnTitle = (field: FieldDefinition): string => getColumnLayout(field).title

/** Returns the fields that are columns of the table, or of the file. */
export const listColumns = (fields: FieldDefinitions, place: 'table' | 'file') =>
  Object.entries(fields).filter(([, field]) => field.column && (getColumnLayout(field).only ?? place) === place)

// ——— forms ———

export const getFormFields = <F extends FieldDefinitions>(fields: F) =>
  Object.keys(fields).filter((name) => fields[name]?.form) as FormField<F>[] // the same condition as in the type

type FormStart<F> = { [Name in FormField<F>]: FieldValue<F, Name> | null }

/** Returns the values of an empty form: the default of each schema, or null. */
export function getEmptyForm<F extends FieldDefinitions>(fields: F, start: Partial<FormStart<F>> = {}): FormStart<F> {
  const values = getFormFields(fields).map((name) => {
    const schema = fields[name]?.form
    return [name, schema instanceof z.ZodDefault ? schema.def.defaultValue : null]
  })
  return { ...(Object.fromEntries(values) as FormStart<F>), ...start } // a default is a value of its schema
}

/** Returns the form values to edit `row`, except those of custom fields. */
export function getFormValues<F extends FieldDefinitions>(fields: F, row: FieldRow<F>) {
  const names = getFormFields(fields).filter((name) => fields[name]?.kind !== 'custom')
  const stored: Readonly<Record<string, unknown>> = row
  const values = Object.fromEntries(names.map((name) => [name, stored[name]]))
  // Fields that are not custom have the same value in forms and rows.
  return values as Pick<FieldRow<F>, Exclude<FormField<F> & RowField<F>, CustomField<F>>>
}
