import { getToday } from '#contract/days.ts'
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

type CellWriter<Row> = (row: Row, zone: string) => CsvCell
type CsvCells<F, Row> = Record<FileField<F> & CustomField<F>, CellWriter<Row>> &
  Partial<Record<FileField<F>, CellWriter<Row>>>

/** Builds the columns of an entity's file, in the order of its fields. `cells` has the values of custom fields. */
export function buildCsvColumns<F extends FieldDefinitions, Row extends Partial<FieldRow<F>> = FieldRow<F>>(
  fields: F,
  cells: CsvCells<F, Row>,
) {
  const given: Record<string, CellWriter<Row> | undefined> = cells
  return listColumns(fields, 'file').map(([name, field]) => ({
    name,
    title: getColumnTitle(field),
    cell: given[name] ?? ((row: Row, zone: string) => formatCell(field, row[name as keyof Row], zone)),
  }))
}

/** Formats the day of an instant, as the table shows it. */
export const formatInstantDay = (at: string | null, zone: string): CsvCell => at && getToday(zone, new Date(at))

function formatCell({ kind, choices = {} }: FieldDefinition, value: unknown, zone: string): CsvCell {
  if (kind === 'flag') return value ? 'Yes' : 'No'
  if (kind === 'choice') return choices[String(value)] ?? String(value ?? '')
  if (kind === 'instant') return formatInstantDay(value as string | null, zone)
  if (kind === 'phone') return value === null || value === undefined ? null : formatCsvPhone(String(value))
  return value as CsvCell // a plain field holds text or a number
}
