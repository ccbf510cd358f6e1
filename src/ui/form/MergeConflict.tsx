import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './OpenForm.module.css'

type MergeConflictFieldProps = {
  /** The field as one has it. */
  children: ReactNode
  /** The newer value in words; null where it is empty. */
  value: string | null
  use: () => void
  keep: () => void
}

/** A field that others have changed as well: both values side by side, and one must choose. */
export function MergeConflictField({ children, value, use, keep }: MergeConflictFieldProps) {
  return (
    <div className={classes.both}>
      <div>{children}</div>
      <div className={classes.theirs} data-theirs>
        <p>
          Changed meanwhile to <b>{value ?? 'nothing'}</b>
        </p>
        <div>
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

/** A field that has taken the newer value, because nothing had been typed into it. */
export function MergeUpdatedField({ children }: { children: ReactNode }) {
  return (
    <div>
      {children}
      <p className={classes.taken}>Changed meanwhile: this is the newer value</p>
    </div>
  )
}
