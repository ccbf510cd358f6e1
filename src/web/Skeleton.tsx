import classes from './DataTable.module.css'

const most = 12

/** Rows to come, as high as they will be: until the first ones are read, or what draws them is there. */
export function Skeleton({ rows = most, columns, height }: { rows?: number; columns: number; height: number }) {
  return Array.from({ length: Math.min(rows, most) }, (_, row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without tabIndex takes no focus.
    // biome-ignore lint/suspicious/noArrayIndexKey: these rows are nothing but their place.
    <tr key={row} className={classes.row} aria-hidden="true" style={{ height }}>
      {Array.from({ length: columns }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <td key={index} className={classes.cell}>
          <span className={classes.bone} />
        </td>
      ))}
    </tr>
  ))
}
