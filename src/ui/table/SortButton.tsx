import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import classes from './SortButton.module.css'

type SortButtonProps = {
  title: string
  /** The direction, if the rows are sorted by this column. */
  order: 'asc' | 'desc' | undefined
  sort: () => void
  /** Saves space: shows the arrow only when the rows are sorted by this column. */
  narrow?: boolean
}

/** The button in a column head that sorts. */
export function SortButton({ title, order, sort, narrow }: SortButtonProps) {
  const Icon = order === undefined ? IconArrowsSort : order === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <button
      type="button"
      className={classes.sort}
      data-on={order !== undefined || undefined}
      data-narrow={narrow}
      onClick={sort}
    >
      {title}
      {(order !== undefined || !narrow) && (
        <Icon size={narrow ? 12 : 14} stroke={2} aria-hidden="true" data-unprinted={order === undefined || undefined} />
      )}
    </button>
  )
}

/** Returns the `aria-sort` of a column head. */
export const getAriaSort = (order: SortButtonProps['order']) =>
  order && ({ asc: 'ascending', desc: 'descending' } as const)[order]
