import classes from './filters.module.css'
import type { SelectChoice } from './select-choice.ts'

/** A choice in a list: its color, its name, and below that its detail. */
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
