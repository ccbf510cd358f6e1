import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import { ShownTogether } from '#ui/feedback/ShownTogether.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { groupSignals, type SignalFamily, type SignalGroups } from './group-signals.ts'
import { SignalRows, UrgencyGroups } from './SignalRows.tsx'
import classes from './Signals.module.css'
import { useLiveSignals } from './useLiveSignals.ts'
import { useHomeSignals, useSignalCount, type useSignals } from './useSignals.ts'
import { useTriageKeys } from './useTriageKeys.ts'

const SignalDetail = lazyComponent(() => import('./SignalDetail.tsx'))

type HomeSignalsProps = {
  /** What else is one's own. */
  beside: ReactNode
  /** What opened since is new; null on the first visit. */
  lastVisit: string | null
  /** While an agency is being set up, that nothing is wrong would be no news. */
  isSetUp: boolean
}

/** Triage: what is wrong, by urgency, with the chosen signal beside the list, and what else is one's own; where there is no room for both, a signal is a page. */
export default function HomeSignals({ beside, lastVisit, isSetUp }: HomeSignalsProps) {
  const read = useHomeSignals()
  const [search, write] = useSearchParams()
  const isNarrow = useMediaQuery('screen and (max-width: 1000px)', undefined, { getInitialValueInEffect: false })
  const { area, held, release, releaseUnused, noteClick } = useLiveSignals(read.signals)
  useTriageKeys(area)
  const groups = read.signals && groupSignals(held ?? read.signals)
  const [first, setFirst] = useState<number | null>(null)
  const top = groups?.needsYou[0] ?? groups?.handled[0]
  if (first === null && top) setFirst(top.signal.id)
  if (read.error && !read.signals) return <QueryError what="Signals" error={read.error} retry={read.retry} />
  if (!read.signals || !groups) return <SignalSkeleton />
  const requestedId = /^\d{1,9}$/.test(search.signal ?? '') ? Number(search.signal) : null
  const chosen = requestedId ?? (isNarrow ? null : first)
  const choose = (id: number) => write((before) => ({ ...before, signal: String(id) }), !isNarrow)
  const current = new Map(read.signals.map((signal) => [signal.id, signal]))
  /** Each signal as it is now, in its place. */
  const show = (families: SignalFamily[]) =>
    held ? families.map((family) => ({ ...family, signal: current.get(family.signal.id) ?? family.signal })) : families
  const showAll = () => {
    release()
    void read.retry()
  }
  const rows = { chosen, choose, lastVisit }
  const family = [...groups.needsYou, ...groups.handled, ...groups.closed].find(({ signal }) => signal.id === chosen)
  const isPage = isNarrow && requestedId !== null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only remembers what is used.
    <div
      ref={area}
      className={classes.triage}
      data-printed-block
      onClickCapture={noteClick}
      onPointerLeave={releaseUnused}
      // The next element has the focus only after this event.
      onBlur={() => window.setTimeout(releaseUnused)}
    >
      {!isPage && (
        <div className={classes.groups} data-printed-block>
          {read.error && <QueryOutdated what="Signals" error={read.error} retry={read.retry} />}
          <NewSignals groups={groups} read={read} isHeld={held !== null} onShow={showAll} />
          <SignalSection
            title="Needs you"
            families={groups.needsYou}
            empty={isSetUp ? 'Nothing needs you now.' : 'No signals yet.'}
          >
            <UrgencyGroups families={show(groups.needsYou)} {...rows} />
          </SignalSection>
          {groups.handled.length > 0 && (
            <SignalSection title="Being handled" families={groups.handled}>
              <SignalRows label="Being handled" families={show(groups.handled)} {...rows} />
            </SignalSection>
          )}
          <SignalSection title="Closed today" families={groups.closed} empty="Nothing has closed yet today.">
            <SignalRows label="Closed today" families={show(groups.closed)} {...rows} />
          </SignalSection>
          {read.more > 0 && (
            <Button variant="default" onClick={read.readMore}>
              Read {read.more} more
            </Button>
          )}
        </div>
      )}
      <ShownTogether className={classes.side}>
        {chosen !== null && (
          <div data-unprinted>
            {isPage && (
              <button
                type="button"
                data-link
                className={classes.back}
                onClick={() => write(({ signal: _, ...rest }) => rest)}
              >
                <IconArrowLeft size={16} aria-hidden="true" /> All signals
              </button>
            )}
            <Suspense fallback={<div className={classes.bone} data-waiting />}>
              <SignalDetail key={chosen} id={chosen} known={current.get(chosen)} explained={family?.children ?? []} />
            </Suspense>
          </div>
        )}
        {!isPage && beside}
      </ShownTogether>
    </div>
  )
}

type SignalSectionProps = { title: string; families: SignalFamily[]; empty?: string; children: ReactNode }

function SignalSection({ title, families, empty, children }: SignalSectionProps) {
  const id = `signals-${title.toLowerCase().replace(/ /g, '-')}`
  return (
    <section aria-labelledby={id} className={classes.group}>
      <h2 id={id}>
        {title} {families.length > 0 && <span className={classes.count}>{families.length}</span>}
      </h2>
      {families.length === 0 ? <p className={classes.empty}>{empty}</p> : children}
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
