import { Button } from '@mantine/core'
import { QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { groupSignals, type SignalFamily, type SignalGroups } from './group-signals.ts'
import { SignalCards, useCardFocus } from './SignalCards.tsx'
import classes from './Signals.module.css'
import { useSignalCount, useSignals } from './useSignals.ts'

/** Current problems, who is on them, and what was resolved today. */
export function HomeSignals() {
  const read = useSignals({ state: 'today' })
  const keepFocus = useCardFocus(read.signals)
  if (read.error && !read.signals) return <QueryError what="Signals" error={read.error} retry={read.retry} />
  if (!read.signals) return <SignalSkeleton />
  const groups = groupSignals(read.signals)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only remembers which card has focus.
    <div className={classes.groups} data-printed-block onFocus={keepFocus}>
      {read.error && <QueryOutdated what="Signals" error={read.error} retry={read.retry} />}
      <NewSignals groups={groups} read={read} />
      <SignalGroup title="Needs you" families={groups.needsYou} empty="Nothing needs you now." />
      {groups.handled.length > 0 && <SignalGroup title="Being handled" families={groups.handled} />}
      <SignalGroup title="Closed today" families={groups.closed} empty="Nothing has closed yet today." />
      {read.more > 0 && (
        <Button variant="default" onClick={read.readMore}>
          Read {read.more} more
        </Button>
      )}
    </div>
  )
}

type SignalGroupProps = { title: string; families: SignalFamily[]; empty?: string }

function SignalGroup({ title, families, empty }: SignalGroupProps) {
  const id = `signals-${title.toLowerCase().replace(/ /g, '-')}`
  return (
    <section aria-labelledby={id} className={classes.group}>
      <h2 id={id}>
        {title} {families.length > 0 && <span className={classes.count}>{families.length}</span>}
      </h2>
      {families.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <SignalCards label={title} families={families} />
      )}
    </section>
  )
}

type NewSignalsProps = { groups: SignalGroups; read: ReturnType<typeof useSignals> }

/** Says that the signals have changed and offers to show them, so that nothing moves under the pointer. */
function NewSignals({ groups, read }: NewSignalsProps) {
  const { data: count, dataUpdatedAt } = useSignalCount()
  const open = (read.signals ?? []).filter(({ closed_at }) => closed_at === null)
  const isNewer = count !== undefined && dataUpdatedAt > read.readAt && read.more === 0
  const isChanged =
    isNewer &&
    (count.open !== open.length ||
      count.needs_you !== groups.needsYou.length ||
      count.newest_id !== (open.length > 0 ? Math.max(...open.map(({ id }) => id)) : null))
  return (
    <div role="status" className={arrange.skippedEmpty}>
      {isChanged && (
        <button type="button" className={classes.more} data-link onClick={() => void read.retry()}>
          Signals have changed. Show them
        </button>
      )}
    </div>
  )
}

export function SignalSkeleton() {
  return (
    <div className={classes.groups} role="status" aria-label="Signals are loading">
      {[1, 2, 3].map((place) => (
        <div key={place} className={classes.bone} />
      ))}
    </div>
  )
}
