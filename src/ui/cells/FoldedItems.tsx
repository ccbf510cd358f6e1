import { Fragment, type ReactNode, useState } from 'react'
import buttons from '../layout/buttons.module.css'
import { usePrinting } from '../layout/printing.ts'
import classes from './cells.module.css'
import { countCell, textCell } from './cells.tsx'

type FoldedItemsProps<Item> = {
  items: readonly Item[]
  /** Stands between two of them. */
  separator?: string
  children: (item: Item) => ReactNode
}

const maxShown = 2

/** The first ones of a cell that has many, and a button that shows and hides the rest. On paper all are shown. */
export function FoldedItems<Item extends { id: number }>({ items, separator, children }: FoldedItemsProps<Item>) {
  const [isOpen, setOpen] = useState(false)
  const isPrinting = usePrinting()
  if (items.length === 0) return textCell(null)
  const isFolded = !isPrinting && items.length > maxShown + 1
  const shown = isFolded && !isOpen ? items.slice(0, maxShown) : items
  return (
    <>
      {shown.map((item, index) => (
        <Fragment key={item.id}>
          {index > 0 && separator}
          {children(item)}
        </Fragment>
      ))}
      {isFolded && separator && ' '}
      {isFolded && (
        // One button for both, so that it keeps the focus.
        <button
          type="button"
          className={`${buttons.bare} ${classes.more}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Less' : <>{countCell(items.length - maxShown)} more</>}
        </button>
      )}
    </>
  )
}
