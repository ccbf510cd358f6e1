import arrange from '#ui/layout/arrange.module.css'
import table from '../table/DataTable.module.css'
import classes from './Skeleton.module.css'

/** As many as fit on a screen. */
const maxSkeletonRows = 30

type SkeletonRowsProps = {
  rows: number
  columns: readonly { key: string; align?: 'end'; pinned?: 'start' | 'end' }[]
  height: number
}

/** Placeholder rows of the final height, until the first rows or the code that renders them is loaded. */
export function SkeletonRows({ rows, columns, height }: SkeletonRowsProps) {
  return Array.from({ length: Math.min(rows, maxSkeletonRows) }, (_, row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without tabIndex takes no focus.
    // biome-ignore lint/suspicious/noArrayIndexKey: these rows have no other identity.
    <tr key={row} className={table.row} aria-hidden="true" style={{ height }}>
      {columns.map(({ key, align, pinned }) => (
        <td key={key} className={table.cell} data-align={align} data-pinned={pinned}>
          <span className={classes.bone} />
        </td>
      ))}
    </tr>
  ))
}

/** Placeholder lines of text, by their widths. What they are in says that it is loading. */
export const SkeletonLines = ({ widths }: { widths: readonly string[] }) => (
  <div className={arrange.stack}>
    {widths.map((width, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they only differ by place.
      <span key={index} className={classes.bone} style={{ width }} />
    ))}
  </div>
)
