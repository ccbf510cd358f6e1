import { z } from 'zod'
import type { AccessRule, AccessSubject } from './allow.ts'

/**
 * The fields of an entity, each described once, in the order in which forms, tables and files show them. Schemas, controls,
 * columns, imports and exports derive from this. A `custom` field (a relation, a secret) gets its control, its cell and its
 * SQL by name, where they are built.
 */

/** How a value is typed, shown and read from a file. */
export type FieldKind = 'text' | 'longText' | 'count' | 'money' | 'date' | 'flag' | 'choice' | 'custom'

export type FieldDefinition = {
  kind: FieldKind
  /** Title in the form. */
  label: string
  /** What readers get. A field without it is write-only. */
  row?: z.ZodType
  /** What a form sends, with its error messages. A field without it is read-only. */
  form?: z.ZodType
  /** Width in the form. */
  width?: 'half' | 'whole'
  /** Has a column in the table and in the CSV file, titled like this; true takes the label. */
  column?: true | string
  /** The list sorts by this name; true takes the field's own. */
  sort?: true | string
  /** Can be read from a CSV file. */
  import?: true | FieldImport
  /** Of a choice: the label of each value. */
  choices?: Readonly<Record<string, string>>
  /** Who may read it, of those who may read the row. */
  readableBy?: AccessRule
  /** Who may change it, of those who may change the row. */
  writableBy?: AccessRule
}
type FieldImport = {
  /** Name in the import, where it is not the field's own. */
  name?: string
  /** Other column titles that files use. */
  also?: readonly string[]
  /** Accepted formats, in words. */
  about?: string
}
export type FieldDefinitions = Readonly<Record<string, FieldDefinition>>

/** Checks the definitions and keeps their exact types. */
export const defineFields = <const F extends FieldDefinitions>(fields: F): F => fields

/** Names of the fields that have a `row`, a `form`, a `column`, or are imported. */
export type RowField<F> = NamesWith<F, { row: z.ZodType }>
export type FormField<F> = NamesWith<F, { form: z.ZodType }>
export type ColumnField<F> = NamesWith<F, { column: true | string }>
export type ImportedField<F> = NamesWith<F, { import: true | FieldImport }>
export type CustomField<F> = NamesWith<F, { kind: 'custom' }>
type NamesWith<F, Part> = { [Name in keyof F]: F[Name] extends Part ? Name : never }[keyof F] & string

export const isReadable = ({ readableBy }: FieldDefinition, me: AccessSubject) => readableBy?.(me) ?? true
export const isWritable = ({ writableBy }: FieldDefinition, me: AccessSubject) => writableBy?.(me) ?? true

// ——— schemas ———

type RowShape<F> = {
  -readonly [Name in RowField<F>]: F[Name] extends { row: infer Row extends z.ZodType } ? Row : never
}
type FormShape<F> = {
  -readonly [Name in FormField<F>]: F[Name] extends { form: infer Form extends z.ZodType } ? Form : never
}
/** A row, as far as its definitions describe it. */
export type FieldRow<F> = { [Name in keyof RowShape<F>]: z.output<RowShape<F>[Name]> }
/** What a control of the form holds: what is sent, or for a preprocessed value what becomes of it. */
export type FieldValue<F, Name extends FormField<F>> = NonNullable<
  unknown extends z.input<FormShape<F>[Name]> ? z.output<FormShape<F>[Name]> : z.input<FormShape<F>[Name]>
>

/** The shape of a row, for `z.object`. */
export const getRowShape = <F extends FieldDefinitions>(fields: F) => pickSchemas(fields, 'row') as RowShape<F>
/** The shape of a form, for `z.strictObject`. */
export const getFormShape = <F extends FieldDefinitions>(fields: F) => pickSchemas(fields, 'form') as FormShape<F>

/** Untyped: the two callers above know which fields have the part. */
const pickSchemas = (fields: FieldDefinitions, part: 'row' | 'form'): unknown =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (field[part] ? [[name, field[part]]] : [])))

// ——— lists ———

export type SortName<F> = {
  [Name in keyof F]: F[Name] extends { sort: infer Sort } ? (Sort extends string ? Sort : Name) : never
}[keyof F] &
  string

/** What the list sorts by, for `paged`. */
export function listSorts<F extends FieldDefinitions>(fields: F): readonly [SortName<F>, ...SortName<F>[]] {
  const sorts = Object.entries(fields).flatMap(([name, { sort }]) => (sort ? [sort === true ? name : sort] : []))
  return sorts as [SortName<F>, ...SortName<F>[]] // the same condition as in the type
}

export const getColumnTitle = ({ column, label }: FieldDefinition) => (typeof column === 'string' ? column : label)

// ——— forms ———

export const getFormFields = <F extends FieldDefinitions>(fields: F) =>
  Object.keys(fields).filter((name) => fields[name]?.form) as FormField<F>[] // the same condition as in the type

type FormStart<F> = { [Name in FormField<F>]: FieldValue<F, Name> | null }

/** Values of an empty form: the default of each schema, or null. */
export function getEmptyForm<F extends FieldDefinitions>(fields: F, start: Partial<FormStart<F>> = {}): FormStart<F> {
  const values = getFormFields(fields).map((name) => {
    const schema = fields[name]?.form
    return [name, schema instanceof z.ZodDefault ? schema.def.defaultValue : null]
  })
  return { ...(Object.fromEntries(values) as FormStart<F>), ...start } // a default is a value of its schema
}

/** Values of the form to edit `row`, except those of custom fields. */
export function getFormValues<F extends FieldDefinitions>(fields: F, row: FieldRow<F>) {
  const names = getFormFields(fields).filter((name) => fields[name]?.kind !== 'custom')
  const stored: Readonly<Record<string, unknown>> = row
  const values = Object.fromEntries(names.map((name) => [name, stored[name]]))
  // A field that is no custom one is sent as it is read.
  return values as Pick<FieldRow<F>, Exclude<FormField<F> & RowField<F>, CustomField<F>>>
}
