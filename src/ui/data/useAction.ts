import { useCallback, useEffect, useRef, useState } from 'react'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { confirmAction } from '../feedback/confirm.tsx'
import { toastError, toastSuccess } from '../feedback/toast.tsx'
import { type CallArgs, callApi } from './api.ts'
import { announceWrite } from './saved-rows.ts'
import { refreshQueries } from './useApi.ts'

type ActionOptions<E> = {
  /** Other things that this write changes, by one of their calls each. */
  refreshes?: readonly Endpoint[]
  /** The inverse call; the toast then offers Undo. */
  undo?: (...args: CallArgs<E>) => unknown
  /** Said instead of the endpoint's own sentence. */
  success?: (answer: ResponseOf<E>) => string
  /** Shows the change before the server has it. What it returns takes the change back when the call fails. */
  optimistic?: (...args: CallArgs<E>) => () => void
  /** Where the failure is shown in place: it gets the problem and there is no toast. */
  onFailure?: (problem: unknown, ...args: CallArgs<E>) => void
  /** Says nothing when it succeeds. */
  quiet?: boolean
  /** A dialog's: lists keep the row that it answers in sight. */
  isForm?: boolean
  /** Lines under the question: what saying yes brings about. */
  details?: readonly string[] | undefined
}

/** How it ended: cancelled at the question, failed, or done with the call's answer. */
type ActionOutcome<E> = { done: true; answer: ResponseOf<E> } | { done: false; problem?: unknown }

/**
 * A write. `run` asks the endpoint's question, calls, success its sentence and reads the lists of the same thing again; a
 * failed call is a red toast. `run` never throws and keeps its identity, so it can be handed to memoised rows.
 */
export function useAction<E extends Endpoint>(endpoint: E, options: ActionOptions<E> = {}) {
  const [running, setRunning] = useState(0)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  const run = useCallback(
    async (...args: CallArgs<E>): Promise<ActionOutcome<E>> => {
      const { details } = latest.current
      if (endpoint.confirm && !(await confirmAction(endpoint.confirm, { ...getConfirmOptions(endpoint), details })))
        return { done: false }
      const takeBack = latest.current.optimistic?.(...args)
      setRunning((count) => count + 1)
      try {
        const answer = await callApi(endpoint, ...args)
        const { success, undo, quiet, refreshes = [], isForm = false } = latest.current
        const sentence = success?.(answer) ?? endpoint.success
        if (sentence && !quiet) toastSuccess(sentence, undo && (() => undo(...args)))
        announceWrite({ endpoint, input: args[0], answer, isForm })
        void refreshQueries([endpoint, ...refreshes])
        return { done: true, answer }
      } catch (problem) {
        takeBack?.()
        const { onFailure = toastError } = latest.current
        onFailure(problem, ...args)
        return { done: false, problem }
      } finally {
        setRunning((count) => count - 1)
      }
    },
    [endpoint],
  )
  return { run, running: running > 0 }
}

const getConfirmOptions = (endpoint: Endpoint) =>
  endpoint.method === 'DELETE' ? { label: 'Delete', danger: true } : { label: 'Yes' }
