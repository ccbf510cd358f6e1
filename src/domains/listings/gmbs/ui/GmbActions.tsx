import { Button } from '@mantine/core'
import { IconHistory, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Suspense } from 'react'
import { part } from '#ui/data/lazy-part.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { RowActions, RowButton } from '#ui/table/RowButton.tsx'
import { type Gmb, gmbs } from '../contract.ts'
import { EditGmb } from './GmbDialog.tsx'
import classes from './Gmbs.module.css'

// Most visits look into no log.
const Logs = part(() => import('./GmbLogs.tsx'))

const asked = 'Google is being asked; its answer comes in by itself'

/** Light buttons for each row; the dialogs behind them are made when they are opened. */
export function GmbActions({ gmb }: { gmb: Gmb }) {
  const editing = useDialog()
  const logs = useDialog()
  const { run } = useAction(gmbs.remove)
  const check = useAction(gmbs.check, { says: ({ check_asked_at }) => (check_asked_at ? asked : gmbs.check.says) })
  return (
    <RowActions>
      <RowButton
        label="Check now"
        icon={IconRefresh}
        busy={check.running}
        onClick={() => void check.run({ params: { id: gmb.id } })}
      />
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

/** Looks at every listing of the page. They are many for one answer, so each row says when its turn has come. */
export function CheckPage({ rows }: { rows: readonly Gmb[] }) {
  const { run, running } = useAction(gmbs.checkSome)
  return (
    <Button
      variant="default"
      title="Check every listing of this page"
      disabled={rows.length === 0}
      loading={running}
      onClick={() => void run({ body: { ids: rows.map(({ id }) => id) } })}
    >
      Check now
    </Button>
  )
}

/** Takes what the public listing says now for what it shall say: no more than what is shown here. */
export function Accept({ gmb }: { gmb: Gmb }) {
  const { run, running } = useAction(gmbs.accept)
  return (
    <button
      type="button"
      className={classes.accept}
      aria-label={`Accept as the new state of ${gmb.title}`}
      disabled={running}
      onClick={() => void run({ params: { id: gmb.id }, body: { version: gmb.version } })}
    >
      Accept as the new state
    </button>
  )
}
