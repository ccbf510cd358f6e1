import classes from './CellSwitch.module.css'

type CellSwitchProps = { label: string; on: boolean; set: (on: boolean) => void; disabled?: boolean; title?: string }

/** On or off, at once: a light switch for cells. */
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
