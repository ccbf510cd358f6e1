import { type ReactNode, Suspense } from 'react'
import { useStore } from 'zustand'
import type { AccessSubject } from '#contract/allow.ts'
import type { LeadsList } from '#domains/leads/list/ui/useLeadsList.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import classes from './Batch.module.css'
import { countSelected, type RowSelection } from './selection.ts'
import { useBatch } from './use-batch.ts'

const BatchBar = lazyComponent(() => import('./BatchBar.tsx'))

type SelectionBarProps = {
  me: AccessSubject
  list: LeadsList
  isArchive: boolean
  selection: RowSelection
  /** Shown while no lead is selected, in the same place, so that nothing moves. */
  children: ReactNode
}

/** The actions on selected leads, and the progress of a large batch. */
export function SelectionBar({ me, list, isArchive, selection, children }: SelectionBarProps) {
  const count = useStore(selection.store, countSelected)
  const { run, clear, running, isBusy } = useBatch({ list, isArchive, selection })
  if (running) {
    const { processed, total } = running
    return (
      <div className={classes.bar} data-unprinted role="status">
        <progress className={classes.progress} aria-label="Leads processed" value={processed} max={total} />
        {processed.toLocaleString('en-US')} of {total.toLocaleString('en-US')} leads
      </div>
    )
  }
  if (count === 0) return children
  return (
    <Suspense fallback={<div className={classes.bar} data-unprinted />}>
      <BatchBar
        me={me}
        selection={selection}
        total={list.total ?? 0}
        isArchive={isArchive}
        busy={isBusy}
        run={(act) => void run(act)}
        clear={clear}
      />
    </Suspense>
  )
}
