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
  /** Has its place while no lead is selected: nothing moves when one is. */
  children: ReactNode
}

/** The acts on selected leads, and how far a large one is. */
export function SelectionBar({ me, list, isArchive, selection, children }: SelectionBarProps) {
  const count = useStore(selection.store, countSelected)
  const { run, running, isBusy } = useBatch({ list, isArchive, selection })
  if (running) {
    const { processed, total } = running
    return (
      <div className={classes.bar} role="status">
        <progress className={classes.progress} aria-label="Leads dealt with" value={processed} max={total} />
        {processed.toLocaleString('en-US')} of {total.toLocaleString('en-US')} leads
      </div>
    )
  }
  if (count === 0) return children
  return (
    <Suspense fallback={<div className={classes.bar} />}>
      <BatchBar
        me={me}
        selection={selection}
        total={list.total ?? 0}
        isArchive={isArchive}
        busy={isBusy}
        run={(act) => void run(act)}
      />
    </Suspense>
  )
}
