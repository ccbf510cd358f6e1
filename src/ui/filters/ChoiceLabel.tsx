import type { SelectChoice } from './ChoiceFilter.tsx'
import classes from './filters.module.css'

/** A choice as a list shows it: its colour, its name, and under that what tells it from others. */
export function ChoiceLabel({
  choice: { label, color, detail },
}: {
  choice: Pick<SelectChoice<unknown>, 'label' | 'color' | 'detail'>
}) {
  return (
    <>
      {color && <span className={classes.dot} style={{ background: color }} />}
      {detail ? (
        <span className={classes.twofold}>
          {label} <span className={classes.detail}>{detail}</span>
        </span>
      ) : (
        label
      )}
    </>
  )
}
