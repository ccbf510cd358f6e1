import { Button } from '@mantine/core'
import { QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { groupSignals, type SignalFamily, type SignalGroups } from './group-signals.ts'
import { SignalCards, useCardFocus } from './SignalCards.tsx'
import classes from './Signals.module.css'
import { useLiveSignals } from './useLiveSignals.ts'
import { useSignalCount, useSignals } from './useSignals.ts'

/** Current problems, who is on them, and what was resolved today. */
export function HomeSignals() {
  const read = useSignals({ state: 'today' })
  const keepFocus = useCardFocus(read.signals)
  const { area, held, release, releaseUnused, noteClick } = useLiveSignals(read.signals)
  if (read.error && !read.signals) return <QueryError what="Signals" error={read.error} retry={read.retry} />
  if (!read.signals) return <SignalSkeleton />
  const groups = groupSignals(held ?? read.signals)
  const current = new Map(read.signals.map((signal) => [signal.id, signal]))
  /** Each signal as it is now, in its place. */
  const show = (families: SignalFamily[]) =>
    held ? families.map((family) => ({ ...family, signal: current.get(family.signal.id) ?? family.signal })) : families
  const showAll = () => {
    release()
    void read.retry()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only remembers what is used.
    <div
      ref={area}
      className={classes.groups}
      data-printed-block
      onFocus={keepFocus}
      onClickCapture={noteClick}
      onPointerLeave={releaseUnused}
      // The next element has the focus only after this event.
      onBlur={() => window.setTimeout(releaseUnused)}
    >
      {read.error && <QueryOutdated what="Signals" error={read.error} retry={read.retry} />}
      <NewSignals groups={groups} read={read} isHeld={held !== null} onShow={showAll} />
      <SignalGroup title="Needs you" families={show(groups.needsYou)} empty="Nothing needs you now." />
      {groups.handled.length > 0 && <SignalGroup title="Being handled" families={show(groups.handled)} />}
      <SignalGroup title="Closed today" families={show(groups.closed)} empty="Nothing has closed yet today." />
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

type NewSignalsProps = {
  groups: SignalGroups
  read: ReturnType<typeof useSignals>
  isHeld: boolean
  onShow: () => void
}

/** Says that the signals have changed and offers to show them, so that nothing moves under the pointer. */
function NewSignals({ groups, read, isHeld, onShow }: NewSignalsProps) {
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
      {(isHeld || isChanged) && (
        <button type="button" className={classes.more} data-link onClick={onShow}>
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
