import {
  type CustomField,
  type FieldDefinition,
  type FieldDefinitions,
  type FieldRow,
  type FileField,
  getColumnTitle,
  listColumns,
} from '#contract/field-definitions.ts'
import { type CsvCell, formatCsvPhone } from './csv.ts'

type CsvCells<F, Row> = Record<FileField<F> & CustomField<F>, (row: Row) => CsvCell> &
  Partial<Record<FileField<F>, (row: Row) => CsvCell>>

/** Builds the columns of an entity's file, in the order of its fields. `cells` has the values of custom fields. */
export function buildCsvColumns<F extends FieldDefinitions, Row extends Partial<FieldRow<F>> = FieldRow<F>>(
  fields: F,
  cells: CsvCells<F, Row>,
) {
  const given: Record<string, ((row: Row) => CsvCell) | undefined> = cells
  return listColumns(fields, 'file').map(([name, field]) => ({
    name,
    title: getColumnTitle(field),
    cell: given[name] ?? ((row: Row) => formatCell(field, row[name as keyof Row])),
  }))
}

function formatCell({ kind, choices = {} }: FieldDefinition, value: unknown): CsvCell {
  if (kind === 'flag') return value ? 'Yes' : 'No'
  if (kind === 'choice') return choices[String(value)] ?? String(value ?? '')
  if (kind === 'instant') return (value as string | null)?.slice(0, 10)
  if (kind === 'phone') return value === null || value === undefined ? null : formatCsvPhone(String(value))
  return value as CsvCell // a plain field holds text or a number
}
