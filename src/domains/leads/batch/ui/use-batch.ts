import { useEffect, useRef, useState } from 'react'
import { type LeadDesk, useLeadDesk } from '#domains/leads/detail/ui/desk-store.ts'
import type { UndoStep } from '#domains/leads/detail/ui/undo-stack.ts'
import { useUndoStack } from '#domains/leads/list/ui/LeadEditing.tsx'
import type { LeadsList } from '#domains/leads/list/ui/useLeadsList.ts'
import { callApi, readConflict } from '#ui/data/api.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { focusRow } from '#ui/table/table-keys.ts'
import { type FormAct, type LeadBatch, leadBatchContract } from '../contract.ts'
import { batchLabels, describeOutcome, describeQuestion } from './batch-words.ts'
import { followBatch, undoBatch } from './follow-batch.ts'
import { countSelected, type RowSelection } from './selection.ts'

type BatchOptions = { list: LeadsList; isArchive: boolean; selection: RowSelection }

/** More leads than this need a confirmation. */
const maxUnasked = 50

/** Applies an action to all selected leads, follows its job to the end, and offers an undo. */
export function useBatch(options: BatchOptions) {
  const stack = useUndoStack()
  const desk = useLeadDesk()
  const [running, setRunning] = useState<LeadBatch | null>(null)
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  function findFirstSelected() {
    const { ids } = latest.current.selection.store.getState()
    return Math.max(0, latest.current.list.rows?.findIndex(({ id }) => ids.has(id)) ?? 0)
  }

  function clear() {
    focusRowAt(desk, findFirstSelected())
    latest.current.selection.clear()
  }

  /** Reloads the list: many actions make leads leave it. */
  function refresh() {
    void refreshQueries(leadBatchContract.get.reads)
    latest.current.list.retry()
  }

  async function undo(id: number, done: string) {
    const said = await undoBatch(id, done, setRunning)
    setRunning(null)
    focusRowAt(desk, 0)
    refresh()
    return said
  }

  async function run(act: FormAct) {
    const { list, isArchive, selection } = latest.current
    const first = findFirstSelected()
    const { ids, all } = selection.store.getState()
    const count = countSelected({ ids, all, rows: [] })
    if (count > maxUnasked && !(await confirmAction(describeQuestion(act, count), { label: batchLabels[act.action] })))
      return
    setBusy(true)
    try {
      const which =
        all === null
          ? { ids: [...ids] }
          : { filter: { ...list.sent, archived: isArchive ? 1 : 0 } as const, total: all }
      const begun = await callApi(leadBatchContract.create, { body: { ...which, ...act } })
      const batch = await followBatch(begun, setRunning)
      const step: UndoStep = {
        message: describeOutcome(act, batch.changed, batch.skipped.length),
        undo: (done) => undo(batch.id, done),
      }
      const isFailed = batch.state === 'failed'
      if (!isFailed || batch.changed > 0) {
        stack.push(step)
        stack.say(step)
      }
      if (!isFailed) {
        focusRowAt(desk, first)
        selection.clear()
      }
    } catch (problem) {
      const total = readConflict(leadBatchContract.create, problem)
      if (total !== undefined) selection.selectAll(total)
      toastError(problem)
    }
    refresh() // even a batch that failed has changed leads before
    setRunning(null)
    setBusy(false)
  }

  return { run, clear, running, isBusy }
}

/** Moves the focus from the bar, which goes, to a row, where the keys of the list work. If the row goes too, the list moves the focus on. */
function focusRowAt(desk: LeadDesk | null, index: number) {
  const { activeElement } = document
  const scroller = desk?.get().scroller
  if (scroller && (activeElement === document.body || activeElement?.closest('[data-batch-bar]')))
    focusRow(scroller, index)
}
