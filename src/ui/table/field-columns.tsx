import type { ReactNode } from 'react'
import {
  type CustomField,
  type FieldDefinition,
  type FieldDefinitions,
  type FieldRow,
  getColumnLayout,
  listColumns,
  type SortName,
  type TableField,
} from '#contract/field-definitions.ts'
import { clippedTextCell, countCell, dateCell, linkCell, moneyCell, textCell } from '../cells/cells.tsx'
import { instantCell } from '../cells/instant-cell.tsx'
import { PhoneCell } from '../cells/PhoneCell.tsx'
import type { TableColumn } from './table-column.ts'

type FieldColumn<Row> = Partial<TableColumn<Row>>
type CustomColumns<F, Row> = Record<TableField<F> & CustomField<F>, FieldColumn<Row> & Pick<TableColumn<Row>, 'cell'>> &
  Partial<Record<TableField<F>, FieldColumn<Row>>>

/**
 * Builds the columns of a table from its field definitions. Custom fields need a cell in `custom`; any field may override more. `order`
 * names the columns where their order is not that of the fields.
 */
export function buildFieldColumns<F extends FieldDefinitions, Row extends FieldRow<F> = FieldRow<F>>(
  fields: F,
  custom: CustomColumns<F, Row>,
  order?: readonly TableField<F>[],
): TableColumn<Row, SortName<F>>[] {
  const given: Record<string, FieldColumn<Row> | undefined> = custom
  const listed = order?.map((name) => [name, fields[name]!] as const) ?? listColumns(fields, 'table')
  return listed.map(([name, field]) => ({
    key: name,
    cell: (row: Row) => renderCell(field, row[name as keyof Row]),
    ...layoutByKind[field.kind],
    ...getColumnLayout(field),
    // The same condition as in the type.
    ...(field.sort && { sort: (field.sort === true ? name : field.sort) as SortName<F> }),
    ...given[name],
  }))
}

/** Pixels: what must not be cut or broken has room in the widest clock, and with the button that copies it. */
const layoutByKind: Partial<Record<FieldDefinition['kind'], { width?: number; align?: 'end' }>> = {
  text: { width: 144 },
  count: { width: 112, align: 'end' },
  money: { width: 120, align: 'end' },
  date: { width: 108 },
  instant: { width: 176 },
  phone: { width: 184 },
  flag: { width: 80 },
  choice: { width: 144 },
}

/** Renders a value; the kind of its field determines its type. */
function renderCell({ kind, choices = {} }: FieldDefinition, value: unknown): ReactNode {
  if (kind === 'longText') return clippedTextCell(value as string | null)
  if (kind === 'count') return countCell(value as number | null)
  if (kind === 'money') return moneyCell(value as number | null)
  if (kind === 'date') return dateCell(value as string | null)
  if (kind === 'instant') return instantCell(value as string | null)
  if (kind === 'link') return linkCell(value as string | null)
  if (kind === 'phone') return <PhoneCell phone={value as string | null} />
  if (kind === 'flag') return value ? 'Yes' : 'No'
  if (kind === 'choice') return textCell(choices[String(value)] ?? (value as string | null))
  return textCell(value as string | null)
}
