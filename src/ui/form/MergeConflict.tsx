import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import arrange from '../layout/arrange.module.css'
import classes from './OpenForm.module.css'

type MergeConflictFieldProps = {
  /** The field with the user's own value. */
  children: ReactNode
  /** The newer value as text; null where it is empty. */
  value: string | null
  use: () => void
  keep: () => void
}

/** A field that someone else changed as well: shows both values, and the user must choose. */
export function MergeConflictField({ children, value, use, keep }: MergeConflictFieldProps) {
  return (
    <div className={arrange.pair}>
      <div>{children}</div>
      <div className={classes.theirs} data-theirs>
        <p>
          Someone changed this to <b>{value ?? 'nothing'}</b>
        </p>
        <div className={arrange.buttons}>
          <Button variant="default" size="compact-sm" onClick={use}>
            Use theirs
          </Button>
          <Button variant="default" size="compact-sm" onClick={keep}>
            Keep mine
          </Button>
        </div>
      </div>
    </div>
  )
}

/** A field that shows someone else's newer value, because the user had not changed it. */
export function MergeUpdatedField({ children }: { children: ReactNode }) {
  return (
    <div>
      {children}
      <p className={classes.taken}>Someone changed this: the new value is shown</p>
    </div>
  )
}
