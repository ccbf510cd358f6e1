import { memo, type ReactNode, useState } from 'react'
import type { RowMark } from '../../data/saved-rows.ts'
import text from '../../theme/text.module.css'
import type { DataTableProps, RowTint, TableColumn } from '../table-column.ts'
import { useTableLayout } from '../table-layout.ts'
import { CardHead } from './CardHead.tsx'
import { CardCheckbox, CardList, ListCard } from './CardList.tsx'
import classes from './TableCards.module.css'

/** A table's rows as cards on a phone: the most important fields, and the rest behind More. */
export function TableCards<Row extends { id: number | string }, Sort extends string>(props: DataTableProps<Row, Sort>) {
  const { label, list, columns, selectColumn, hidden, table } = props
  const [shown] = useTableLayout(
    table,
    columns.filter(({ key }) => !hidden?.has(key)),
  )
  return (
    <CardList
      label={label}
      list={list}
      columns={shown}
      selectColumn={selectColumn}
      onDrawn={props.onDrawn}
      onOpen={props.onOpen}
      onPast={props.onPast}
      shortcuts={props.shortcuts}
      card={(row, index) => (
        <TableCard
          key={row.id}
          row={row}
          columns={shown}
          selectColumn={selectColumn}
          index={index}
          tint={props.tint?.(row)}
          mark={list.marks?.get(row.id)}
          className={props.rowClass?.(row)}
        />
      )}
    />
  )
}

type TableCardProps<Row, Sort extends string> = {
  row: Row
  columns: readonly TableColumn<Row, Sort>[]
  selectColumn: TableColumn<Row, Sort> | undefined
  index: number
  tint: RowTint | undefined
  mark: RowMark | undefined
  className: string | undefined
}

function PlainCard<Row, Sort extends string>(props: TableCardProps<Row, Sort>) {
  const { row, columns, selectColumn, index, tint, mark, className } = props
  const [isOpen, setOpen] = useState(false)
  const { name, facts, rest, actions } = arrangeCard(columns)
  return (
    <ListCard index={index} tint={tint} mark={mark} className={className}>
      <CardHead name={name?.cell(row)} isOpen={isOpen} setOpen={rest.length > 0 || actions ? setOpen : undefined}>
        {selectColumn && <CardCheckbox>{selectColumn.cell(row)}</CardCheckbox>}
      </CardHead>
      {facts.length > 0 && (
        <dl className={classes.facts}>
          {[...facts, ...(isOpen ? rest : [])].map((column) => (
            <CardFact key={column.key} title={column.title}>
              {column.cell(row)}
            </CardFact>
          ))}
        </dl>
      )}
      {isOpen && actions && <div className={classes.actions}>{actions.cell(row)}</div>}
    </ListCard>
  )
}

/** Memoized, so that a change renders only its card. `memo` drops type parameters: that is why there is a cast. */
const TableCard = memo(PlainCard) as typeof PlainCard

function CardFact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{title}</dt>
      <dd className={text.breaking}>{children}</dd>
    </div>
  )
}

const factsOfCard = 3

/** Splits the columns of a card: its name, its facts (columns marked `telling` first), the rest, and the actions. */
function arrangeCard<Row, Sort extends string>(columns: readonly TableColumn<Row, Sort>[]) {
  const fields = columns.filter(({ pinned }) => pinned !== 'end')
  const byRank = fields.toSorted((one, other) => rankColumn(one) - rankColumn(other)).slice(0, factsOfCard)
  const name =
    fields.find(({ pinned }) => pinned === 'start') ??
    byRank.toSorted((a, b) => fields.indexOf(a) - fields.indexOf(b))[0]
  return {
    name,
    facts: fields.filter((column) => column !== name && byRank.includes(column)),
    rest: fields.filter((column) => column !== name && !byRank.includes(column)),
    actions: columns.find(({ pinned }) => pinned === 'end'),
  }
}

const rankColumn = ({ pinned, telling }: { pinned?: 'start' | 'end'; telling?: true }) =>
  pinned === 'start' ? 0 : telling ? 1 : 2
