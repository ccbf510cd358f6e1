import { useEffect, useRef, useState } from 'react'
import { leadsContract } from '#domains/leads/contract.ts'
import type { UndoStep } from '#domains/leads/detail/ui/undo-stack.ts'
import { useUndoStack } from '#domains/leads/list/ui/LeadEditing.tsx'
import type { LeadsList } from '#domains/leads/list/ui/useLeadsList.ts'
import { ApiError, callApi, readConflict } from '#ui/data/api.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import { toastError, toastInfo } from '#ui/feedback/toast.tsx'
import { type FormAct, type LeadBatch, leadBatchContract } from '../contract.ts'
import { batchLabels, describeOutcome, describeQuestion, formatLeadCount } from './batch-words.ts'
import { countSelected, type RowSelection } from './selection.ts'

type BatchOptions = { list: LeadsList; isArchive: boolean; selection: RowSelection }

/** More leads than this need a confirmation. */
const maxUnasked = 50
const pollMs = 500

/** Applies an action to all selected leads, follows its job to the end, and offers an undo. */
export function useBatch(options: BatchOptions) {
  const stack = useUndoStack()
  const [running, setRunning] = useState<LeadBatch | null>(null)
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  /** Reloads the list: many actions make leads leave it. */
  function refresh() {
    void refreshQueries([leadsContract.update])
    latest.current.list.retry()
  }

  async function follow(begun: LeadBatch): Promise<LeadBatch> {
    let batch = begun
    while (batch.state === 'queued' || batch.state === 'running') {
      setRunning(batch)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      batch = await readBatchAgain(batch)
    }
    setRunning(null)
    if (batch.state === 'failed') throw new Error(batch.problem ?? 'It failed')
    return batch
  }

  async function undo(id: number) {
    try {
      const { skipped } = await follow(await callApi(leadBatchContract.undo, { params: { id } }))
      if (skipped.length > 0) toastInfo(describeKept(skipped))
    } catch (problem) {
      setRunning(null)
      toastError(problem)
    }
    refresh()
  }

  async function run(act: FormAct) {
    const { list, isArchive, selection } = latest.current
    const { ids, all } = selection.store.getState()
    const count = countSelected({ ids, all, rows: [] })
    if (count > maxUnasked && !(await confirmAction(describeQuestion(act, count), { label: batchLabels[act.action] })))
      return
    setBusy(true)
    try {
      const which =
        all === null
          ? { ids: [...ids] }
          : { filter: { ...list.asked, archived: isArchive ? 1 : 0 } as const, total: all }
      const batch = await follow(await callApi(leadBatchContract.create, { body: { ...which, ...act } }))
      const step: UndoStep = {
        says: describeOutcome(act, batch.changed, batch.skipped.length),
        undo: () => void undo(batch.id),
      }
      stack.push(step)
      stack.say(step)
      selection.clear()
      refresh()
    } catch (problem) {
      setRunning(null)
      const total = readConflict(leadBatchContract.create, problem)
      if (total !== undefined) selection.selectAll(total)
      toastError(problem)
    }
    setBusy(false)
  }

  return { run, running, isBusy }
}

/** Polls a batch. A failed request is not a failure of the batch, which continues on the server. */
async function readBatchAgain(batch: LeadBatch): Promise<LeadBatch> {
  try {
    return await callApi(leadBatchContract.get, { params: { id: batch.id } })
  } catch (problem) {
    if (problem instanceof ApiError && (problem.status === 0 || problem.status >= 500)) return batch
    throw problem
  }
}

const maxNamed = 5

function describeKept(skipped: LeadBatch['skipped']): string {
  const named = skipped.slice(0, maxNamed).map(({ id }) => `No. ${id}`)
  const more = skipped.length > maxNamed ? ` and ${skipped.length - maxNamed} more` : ''
  return `${formatLeadCount(skipped.length)} changed since, and left as they are: ${named.join(', ')}${more}`
}
