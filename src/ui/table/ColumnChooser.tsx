import { Button, Checkbox, Modal } from '@mantine/core'
import { useState } from 'react'
import { session, type views } from '#domains/access/sign-in/contract.ts'
import { keepMe, useMe } from '#domains/access/ui/current-user.ts'
import { useAction } from '../data/useAction.ts'
import { useDialog } from '../layout/useDialog.ts'
import classes from './ColumnChooser.module.css'

type View = (typeof views)[number]
type Choosable = { key: string; title: string }

/** The columns of a view that this person has hidden, kept on the server. */
export function useHiddenColumns(view: View): [hidden: ReadonlySet<string>, save: (hidden: readonly string[]) => void] {
  const me = useMe()
  const { run } = useAction(session.saveColumns, {
    optimistic: (input) => {
      if (!me) return () => {}
      const chosen = { view, hidden_columns: input?.query?.hidden_columns?.split(',').filter(Boolean) ?? [] }
      keepMe({ ...me, hidden_columns: [chosen, ...me.hidden_columns.filter((kept) => kept.view !== view)] })
      return () => keepMe(me)
    },
  })
  const hidden = new Set(me?.hidden_columns.find((kept) => kept.view === view)?.hidden_columns)
  return [hidden, (keys) => void run({ query: { view, hidden_columns: keys.join(',') } })]
}

type Props = { columns: readonly Choosable[]; hidden: ReadonlySet<string>; onSave: (hidden: readonly string[]) => void }

/** The button 'Select Table Columns' and its dialog. */
export function ColumnChooser({ columns, hidden, onSave }: Props) {
  const dialog = useDialog()
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Select Table Columns
      </Button>
      <Modal opened={dialog.opened} onClose={dialog.close} title="Select Table Columns" size="lg">
        <Choices
          columns={columns}
          hidden={hidden}
          onSave={(keys) => {
            onSave(keys)
            dialog.close()
          }}
          onCancel={dialog.close}
        />
      </Modal>
    </>
  )
}

function Choices({ columns, hidden, onSave, onCancel }: Props & { onCancel: () => void }) {
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
