import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import classes from './SortButton.module.css'

type SortButtonProps = {
  title: string
  /** How the rows are sorted by it, if they are. */
  order: 'asc' | 'desc' | undefined
  sort: () => void
  /** Where there is no room to spare, the arrow is there only when it says something. */
  narrow?: boolean
}

/** What a head is pressed by to sort. */
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
      {(order !== undefined || !narrow) && <Icon size={narrow ? 12 : 14} stroke={2} aria-hidden="true" />}
    </button>
  )
}

/** For a screen reader, on the head. */
export const getAriaSort = (order: SortButtonProps['order']) =>
  order && ({ asc: 'ascending', desc: 'descending' } as const)[order]
