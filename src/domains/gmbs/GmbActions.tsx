import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { RowActions, RowButton } from '#web/RowButton.tsx'
import { useAction } from '#web/useAction.ts'
import { useDialog } from '#web/useDialog.ts'
import { type Gmb, gmbs } from './contract.ts'
import { EditGmb } from './GmbDialog.tsx'
import classes from './Gmbs.module.css'

// Most visits look into no log.
const Logs = lazy(() => import('./Logs.tsx'))

/** Light buttons for each row; the dialogs behind them are made when they are opened. */
export function GmbActions({ gmb }: { gmb: Gmb }) {
  const editing = useDialog()
  const logs = useDialog()
  const { run } = useAction(gmbs.remove)
  return (
    <RowActions>
      <RowButton label="Logs" icon={IconHistory} onClick={() => logs.open(undefined)} />
      <RowButton label="Edit" icon={IconPencil} onClick={() => editing.open(undefined)} />
      <RowButton label="Delete" icon={IconTrash} onClick={() => void run({ params: { id: gmb.id } })} />
      {editing.opened && <EditGmb gmb={gmb} onClose={editing.close} />}
      {logs.opened && (
        <Suspense>
          <Logs gmb={gmb} onClose={logs.close} />
        </Suspense>
      )}
    </RowActions>
  )
}

/** Takes what the public listing says now for what it shall say. */
export function Accept({ gmb }: { gmb: Gmb }) {
  const { run, running } = useAction(gmbs.accept)
  return (
    <button
      type="button"
      className={classes.accept}
      aria-label={`Accept as the new state of ${gmb.title}`}
      disabled={running}
      onClick={() => void run({ params: { id: gmb.id } })}
    >
      Accept as the new state
    </button>
  )
}
