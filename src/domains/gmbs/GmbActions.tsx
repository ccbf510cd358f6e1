import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
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
    <div className={classes.actions}>
      <button type="button" aria-label="Logs" title="Logs" onClick={() => logs.open(undefined)}>
        <IconHistory size={16} aria-hidden="true" />
      </button>
      <button type="button" aria-label="Edit" title="Edit" onClick={() => editing.open(undefined)}>
        <IconPencil size={16} aria-hidden="true" />
      </button>
      <button type="button" aria-label="Delete" title="Delete" onClick={() => void run({ params: { id: gmb.id } })}>
        <IconTrash size={16} aria-hidden="true" />
      </button>
      {editing.opened && <EditGmb gmb={gmb} onClose={editing.close} />}
      {logs.opened && (
        <Suspense>
          <Logs gmb={gmb} onClose={logs.close} />
        </Suspense>
      )}
    </div>
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
