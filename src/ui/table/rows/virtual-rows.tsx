import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import classes from '../DataTable.module.css'

/** Returns the rows to render: the focused one stays, however far it is scrolled, so that typed text is not lost. */
export const extractRowRange = (scroller: HTMLElement | null, range: Range): number[] =>
  [...new Set([...defaultRangeExtractor(range), ...getFocusedRows(scroller, range.count)])].sort((a, b) => a - b)

/** Returns the index of the focused row, unless the list has become too short for it. */
function getFocusedRows(scroller: HTMLElement | null, count: number): number[] {
  const row = scroller?.querySelector<HTMLElement>('tr[data-index]:focus-within')
  const index = Number(row?.dataset.index ?? -1)
  return index >= 0 && index < count ? [index] : []
}

/** Fills the space of rows that are not rendered. */
export function SpacerRow({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without tabIndex takes no focus.
    <tr aria-hidden="true">
      <td colSpan={columns} className={classes.spacer} style={{ height }} />
    </tr>
  )
}
