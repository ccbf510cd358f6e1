import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { type RowMark, rowMarkLabels } from '../../data/saved-rows.ts'
import { QueryOutdated } from '../../feedback/QueryStates.tsx'
import { SkeletonLines } from '../../feedback/Skeleton.tsx'
import { SmallSelect } from '../../filters/SmallSelect.tsx'
import { NoRowsMessage } from '../NoRowsMessage.tsx'
import { SortButton } from '../SortButton.tsx'
import { TableFrame, TableScroller, usePageStart } from '../TableFrame.tsx'
import type { DataTableProps, RowTint, TableColumn, TableSource } from '../table-column.ts'
import { handleTableKey } from '../table-keys.ts'
import { useRemovedRowFocus } from '../useRemovedRowFocus.ts'
import classes from './CardList.module.css'

type CardListProps<Row extends { id: number | string }, Sort extends string> = Pick<
  DataTableProps<Row, Sort>,
  'onDrawn' | 'onOpen' | 'onPast' | 'shortcuts'
> & {
  /** What the cards are, for a screen reader. */
  label: string
  list: TableSource<Row, Sort>
  /** What the cards can be sorted by. */
  columns: readonly TableColumn<NoInfer<Row>, NoInfer<Sort>>[]
  selectColumn?: TableColumn<NoInfer<Row>, NoInfer<Sort>> | undefined
  /** A `ListCard` with the row's id as its key. */
  card: (row: NoInfer<Row>, index: number) => ReactNode
}

/** A list on a phone: cards one below the other, with the controls of a table head above them. */
export function CardList<Row extends { id: number | string }, Sort extends string>(props: CardListProps<Row, Sort>) {
  const { label, list, columns, selectColumn, onDrawn, onOpen, onPast, shortcuts, card } = props
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const rows = list.rows ?? []
  const followFocus = useRemovedRowFocus(list.rows)
  useEffect(() => {
    if (scroller && list.rows) onDrawn?.(list.rows, scroller)
  }, [list.rows, scroller, onDrawn])
  usePageStart(scroller, list.page)
  return (
    <TableFrame isList fetching={list.fetching && !list.loading}>
      {list.error && list.rows && <QueryOutdated what="These rows" error={list.error} retry={list.retry} />}
      {(rows.length > 0 || list.loading) && (
        <CardListHead list={list} columns={columns}>
          {selectColumn?.head && <CardCheckbox>{selectColumn.head()}</CardCheckbox>}
        </CardListHead>
      )}
      <TableScroller
        ref={setScroller}
        aria-label={label}
        over={{ top: 0, start: 0 }}
        onFocus={followFocus}
        onKeyDown={(event) => handleTableKey(event, { rows, open: onOpen, past: onPast, shortcuts })}
      >
        {list.loading ? (
          <SkeletonCards rows={list.perPage ?? maxSkeletonCards} />
        ) : rows.length > 0 ? (
          <ul aria-label={label} aria-busy={list.fetching}>
            {rows.map(card)}
          </ul>
        ) : (
          <NoRowsMessage list={list} />
        )}
      </TableScroller>
    </TableFrame>
  )
}

type ListCardProps = ComponentProps<'li'> & { index: number; tint: RowTint | undefined; mark?: RowMark | undefined }

/** A row as a card; keys focus it like a table row. */
export function ListCard({ index, tint, mark, className, ...rest }: ListCardProps) {
  return (
    <li
      {...rest}
      className={className ? `${classes.card} ${className}` : classes.card}
      data-ring-inside
      data-index={index}
      data-tint={tint}
      data-mark={mark}
      data-mark-label={mark && rowMarkLabels[mark]}
      tabIndex={-1}
    />
  )
}

/** The place of the checkbox that selects a card, or all of them. */
export const CardCheckbox = ({ children }: { children: ReactNode }) => (
  <span className={classes.select}>{children}</span>
)

type CardListHeadProps<Row extends { id: number | string }, Sort extends string> = Pick<
  CardListProps<Row, Sort>,
  'list' | 'columns'
> & {
  children: ReactNode
}

/** The controls to select all cards and to sort them. */
function CardListHead<Row extends { id: number | string }, Sort extends string>({
  list,
  columns,
  children,
}: CardListHeadProps<Row, Sort>) {
  const { sort, order = 'asc', sortBy } = list
  const choices = columns.flatMap(({ sort: value, title: label }) => (value === undefined ? [] : [{ value, label }]))
  const canSort = sortBy !== undefined && choices.length > 0
  if (!children && !canSort) return null
  const isListed = choices.some(({ value }) => value === sort)
  return (
    <div className={classes.bar}>
      {children}
      {canSort && (
        <SmallSelect<Sort | ''>
          label="Sort by"
          value={isListed && sort ? sort : ''}
          choices={isListed ? choices : [{ value: '', label: 'Default order' }, ...choices]}
          choose={(value) => value !== '' && sortBy(value)}
        />
      )}
      {canSort && isListed && sort && (
        <SortButton title={order === 'desc' ? 'Descending' : 'Ascending'} order={order} sort={() => sortBy(sort)} />
      )}
    </div>
  )
}

/** As many as fill a phone, so that what is below the list is out of sight before and after its rows come. */
const maxSkeletonCards = 10

const SkeletonCards = ({ rows }: { rows: number }) => (
  <div role="status" aria-label="Loading">
    {Array.from({ length: Math.min(rows, maxSkeletonCards) }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: these cards have no other identity.
      <div key={index} className={classes.card}>
        <SkeletonLines widths={skeletonWidths} />
      </div>
    ))}
  </div>
)

const skeletonWidths = ['40%', '80%', '40%']
