import type { ComponentType, MouseEvent, ReactNode } from 'react'
import classes from './RowButton.module.css'

/** The buttons of a row, side by side. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>
}

type RowButtonProps = {
  label: string
  icon: ComponentType<{ size?: number; 'aria-hidden'?: 'true' }>
  onClick: (event: MouseEvent) => void
  disabled?: boolean
  /** Ignores clicks but keeps the focus while it works. */
  busy?: boolean
  title?: string
}

/** A native icon button with an accessible name, for tables with hundreds of rows. */
export function RowButton({ label, icon: Icon, onClick, disabled, busy, title = label }: RowButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={label}
      aria-disabled={busy}
      title={title}
      disabled={disabled}
      onClick={(event) => busy || onClick(event)}
    >
      <Icon size={16} aria-hidden="true" />
    </button>
  )
}
