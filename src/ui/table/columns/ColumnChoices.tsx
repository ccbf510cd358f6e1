import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import classes from './ColumnChoices.module.css'

export type ColumnChoicesProps = {
  columns: readonly { key: string; title: string; group?: string }[]
  hidden: ReadonlySet<string>
  onSave: (hidden: readonly string[]) => void
  onCancel: () => void
}

/** The content of the dialog that `ColumnChooser` opens. */
export default function ColumnChoices({ columns, hidden, onSave, onCancel }: ColumnChoicesProps) {
  const [off, setOff] = useState<ReadonlySet<string>>(hidden)
  function toggle(key: string) {
    const next = new Set(off)
    if (!next.delete(key)) next.add(key)
    setOff(next)
  }
  return (
    <>
      {[...new Set(columns.map(({ group }) => group))].map((group) => (
        <fieldset key={group} className={classes.group}>
          <legend>{group}</legend>
          {columns
            .filter((column) => column.group === group)
            .map((column) => (
              <Checkbox
                key={column.key}
                label={column.title}
                checked={!off.has(column.key)}
                onChange={() => toggle(column.key)}
              />
            ))}
        </fieldset>
      ))}
      <div className={classes.buttons}>
        <Button variant="subtle" onClick={() => setOff(new Set())} disabled={off.size === 0}>
          Show all
        </Button>
        <span className={arrange.grow} />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={() => onSave([...off])} disabled={columns.every((column) => off.has(column.key))}>
          Save
        </Button>
      </div>
    </>
  )
}
