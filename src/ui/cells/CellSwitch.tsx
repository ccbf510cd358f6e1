import classes from './CellSwitch.module.css'

type CellSwitchProps = { label: string; on: boolean; set: (on: boolean) => void; disabled?: boolean; title?: string }

/** A lightweight on/off switch for cells; it applies at once. */
export function CellSwitch({ label, on, set, disabled, title }: CellSwitchProps) {
  return (
    <label className={classes.switch} title={title}>
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        checked={on}
        aria-checked={on}
        disabled={disabled}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </label>
  )
}
