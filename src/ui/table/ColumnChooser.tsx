import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { usePerson } from '../data/person.ts'
import { ModalDialog } from '../layout/ModalDialog.tsx'
import { useDialog } from '../layout/useDialog.ts'
import classes from './ColumnChooser.module.css'

type ChoosableColumn = { key: string; title: string }

/** Returns the columns of a view that the user has hidden, stored on the server; `start` until they choose. */
export function useHiddenColumns(
  view: string,
  start: readonly string[] = [],
): [hidden: ReadonlySet<string>, save: (hidden: readonly string[]) => void] {
  const { hiddenColumns, saveHiddenColumns } = usePerson()
  return [new Set(hiddenColumns(view) ?? start), (keys) => saveHiddenColumns(view, keys)]
}

type ColumnChooserProps = {
  columns: readonly ChoosableColumn[]
  hidden: ReadonlySet<string>
  onSave: (hidden: readonly string[]) => void
}

/** The button 'Select Table Columns' and its dialog. */
export function ColumnChooser({ columns, hidden, onSave }: ColumnChooserProps) {
  const dialog = useDialog()
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Select Table Columns
      </Button>
      <ModalDialog opened={dialog.opened} onClose={dialog.close} title="Select Table Columns" size="lg">
        <ColumnChoices
          columns={columns}
          hidden={hidden}
          onSave={(keys) => {
            onSave(keys)
            dialog.close()
          }}
          onCancel={dialog.close}
        />
      </ModalDialog>
    </>
  )
}

function ColumnChoices({ columns, hidden, onSave, onCancel }: ColumnChooserProps & { onCancel: () => void }) {
  const [off, setOff] = useState<ReadonlySet<string>>(hidden)
  function toggle(key: string) {
    const next = new Set(off)
    if (!next.delete(key)) next.add(key)
    setOff(next)
  }
  return (
    <>
      <div className={classes.columns}>
        {columns.map((column) => (
          <Checkbox
            key={column.key}
            label={column.title}
            checked={!off.has(column.key)}
            onChange={() => toggle(column.key)}
          />
        ))}
      </div>
      <div className={classes.buttons}>
        <Button variant="subtle" onClick={() => setOff(new Set())} disabled={off.size === 0}>
          Show all
        </Button>
        <span className={classes.gap} />
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
