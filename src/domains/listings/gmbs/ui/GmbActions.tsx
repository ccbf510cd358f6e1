import { Button } from '@mantine/core'
import { IconHistory, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { type ComponentProps, Suspense } from 'react'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { RowActions } from '#ui/table/RowActions.tsx'
import { type Gmb, gmbsContract } from '../contract.ts'
import { EditGmbDialog } from './GmbDialog.tsx'
import classes from './Gmbs.module.css'

// Loaded on demand: few visits open a log.
const LazyGmbLogs = lazyComponent(() => import('./GmbLogs.tsx'))

const googleAskedMessage = 'The check was sent to Google; the result appears here automatically'

function describeListingCheck(gmb: Gmb): string {
  if (gmb.check_problem) return gmb.check_problem
  if (gmb.missed_at) return 'not found; a second check decides'
  if (gmb.gone_at) return 'not found'
  return gmb.changed ? `found, changed: ${gmb.changed_fields.join(', ')}` : 'found, no changes'
}

/** The buttons of a listing on its own page, with the form. */
export function ListingActions({ gmb }: { gmb: Gmb }) {
  const editing = useDialog<Gmb>()
  return (
    <>
      <GmbActions isLabeled gmb={gmb} edit={editing.open} />
      {editing.opened && editing.subject && <EditGmbDialog gmb={editing.subject} onClose={editing.close} />}
    </>
  )
}

type GmbActionsProps = {
  gmb: Gmb
  edit: (gmb: Gmb) => void
  /** Words instead of icons. */
  isLabeled?: boolean
}

/** The buttons of a row. The list has the form: a row may leave it while someone types. */
export function GmbActions({ gmb, edit, isLabeled = false }: GmbActionsProps) {
  const ActButton = isLabeled ? LabeledButton : IconButton
  const logs = useDialog()
  const { run } = useAction(gmbsContract.remove, {
    details: [`${gmb.title} (${gmb.campaign_name})`],
  })
  const check = useAction(gmbsContract.check, {
    success: (gmb) =>
      gmb.check_asked_at ? googleAskedMessage : `${gmbsContract.check.success}: ${describeListingCheck(gmb)}`,
  })
  const checkNow = (
    <ActButton
      label="Check now"
      icon={IconRefresh}
      loading={check.running}
      onClick={() => void check.run({ params: { id: gmb.id } })}
    />
  )
  const change = <ActButton label="Edit" icon={IconPencil} onClick={() => edit(gmb)} />
  const remove = <ActButton label="Delete" icon={IconTrash} onClick={() => void run({ params: { id: gmb.id } })} />
  // Its own page shows the log, and the last button as the main one.
  if (isLabeled)
    return (
      <>
        {remove}
        {checkNow}
        {change}
        {gmb.changed && (
          <ActionButton
            call={gmbsContract.accept}
            input={{ params: { id: gmb.id }, body: { version: gmb.version } }}
            label="Accept as the new state"
          />
        )}
      </>
    )
  return (
    <RowActions>
      {checkNow}
      <IconButton label="Logs" icon={IconHistory} onClick={() => logs.open(undefined)} />
      {change}
      {remove}
      {logs.opened && (
        <Suspense>
          <LazyGmbLogs gmb={gmb} onClose={logs.close} />
        </Suspense>
      )}
    </RowActions>
  )
}

const LabeledButton = ({
  label,
  loading = false,
  onClick,
}: Pick<ComponentProps<typeof IconButton>, 'label' | 'loading' | 'onClick'>) => (
  <Button variant="default" loading={loading} onClick={onClick}>
    {label}
  </Button>
)

/** Queues a check of every listing on the page. Each row shows when its check is done. */
export function CheckPageButton({ rows }: { rows: readonly Gmb[] }) {
  const { run, running } = useAction(gmbsContract.checkSome)
  async function check() {
    const outcome = await run({ body: { ids: rows.map(({ id }) => id) } })
    if (!outcome.done) void refreshQueries(gmbsContract.list.reads) // another person may have deleted one
  }
  return (
    <Button
      variant="default"
      title="Check every listing of this page"
      disabled={rows.length === 0}
      loading={running}
      onClick={() => void check()}
    >
      Check now
    </Button>
  )
}

/** Accepts the public listing as shown. */
export function AcceptGmbButton({ gmb }: { gmb: Gmb }) {
  const { run, running } = useAction(gmbsContract.accept)
  return (
    <button
      type="button"
      className={classes.accept}
      data-hover
      aria-label={`Accept as the new state of ${gmb.title}`}
      disabled={running}
      onClick={() => void run({ params: { id: gmb.id }, body: { version: gmb.version } })}
    >
      Accept as the new state
    </button>
  )
}
