import { Link, useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { CellPopover } from '#ui/cells/CellPopover.tsx'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { SkeletonLines } from '#ui/feedback/Skeleton.tsx'
import text from '#ui/theme/text.module.css'
import classes from './BellSignals.module.css'
import { groupSignals } from './group-signals.ts'
import { SignalRows } from './SignalRows.tsx'
import { useHomeSignals } from './useSignals.ts'

const shownSignals = 5
const label = 'Newest signals'

/** What needs someone, the newest first, below the bell. */
export default function BellSignals({ at, onClose }: { at: RefObject<HTMLElement | null>; onClose: () => void }) {
  const navigate = useNavigate()
  const { signals, error, retry } = useHomeSignals()
  const families =
    signals && groupSignals(signals).needsYou.toSorted((a, b) => b.signal.opened_at.localeCompare(a.signal.opened_at))
  function choose(id: number) {
    onClose()
    void navigate({ to: '/', search: { signal: String(id) } })
  }
  return (
    <CellPopover at={at} label={label} onClose={onClose}>
      <div className={classes.newest}>
        {error && !families && <QueryError what="Signals" error={error} retry={retry} />}
        {!error && !families && <SkeletonLines widths={['70%', '50%', '60%']} />}
        {families?.length === 0 && <p className={text.quiet}>No unhandled signals.</p>}
        {families && families.length > 0 && (
          <SignalRows
            label={label}
            families={families.slice(0, shownSignals)}
            chosen={null}
            choose={choose}
            lastVisit={null}
          />
        )}
        <Link to="/" onClick={onClose}>
          {families && families.length > shownSignals ? `All ${families.length} on Home` : 'Open Home'}
        </Link>
      </div>
    </CellPopover>
  )
}
