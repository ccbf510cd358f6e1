import { useCallback, useEffect, useRef, useState } from 'react'
import { type Endpoint, isRefusedInView, type ResponseOf, viewRefusal } from '#contract/endpoint.ts'
import { confirmAction } from '../feedback/confirm.tsx'
import { toastError, toastSuccess } from '../feedback/toast.tsx'
import { useBusyFocus } from '../layout/restore-focus.ts'
import { ApiError, type CallArgs, callApi } from './api.ts'
import { usePerson } from './person.ts'
import { announceWrite } from './saved-rows.ts'
import { refreshQueries } from './useApi.ts'

type ActionOptions<E> = {
  /** The inverse call; the toast then offers Undo. */
  undo?: (...args: CallArgs<E>) => unknown
  /** Replaces the endpoint's own success message. */
  success?: (answer: ResponseOf<E>) => string
  /** Shows the change before the server confirms it. Returns a function that undoes it when the call fails. */
  optimistic?: (...args: CallArgs<E>) => () => void
  /** Handles the failure in place, instead of a toast. */
  onFailure?: (problem: unknown, ...args: CallArgs<E>) => void
  /** Shows no toast on success. */
  quiet?: boolean
  /** The write comes from a dialog: lists keep the returned row in sight. */
  isForm?: boolean
  /** Lines below the question that explain the consequences. */
  details?: readonly string[] | undefined
}

/** The outcome of a write: cancelled at the question, failed, or done with the call's response. */
type ActionOutcome<E> = { done: true; answer: ResponseOf<E> } | { done: false; problem?: unknown }

/**
 * Prepares a write. `run` asks the endpoint's question, makes the call, shows its success message and reads what the write
 * changes again; a failed call shows a red toast. `run` never throws and its identity is stable, so memoized rows can use it.
 */
export function useAction<E extends Endpoint>(endpoint: E, options: ActionOptions<E> = {}) {
  const { isView } = usePerson()
  const [running, setRunning] = useState(0)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  const noteFocus = useBusyFocus(running > 0)
  const run = useCallback(
    async (...args: CallArgs<E>): Promise<ActionOutcome<E>> => {
      const { details, onFailure = toastError } = latest.current
      // As the server would answer, but before a question is asked in vain.
      if (isView && isRefusedInView(endpoint)) {
        const problem = new ApiError(403, viewRefusal)
        onFailure(problem, ...args)
        return { done: false, problem }
      }
      noteFocus()
      if (endpoint.confirm && !(await confirmAction(endpoint.confirm, { ...getConfirmOptions(endpoint), details })))
        return { done: false }
      const takeBack = latest.current.optimistic?.(...args)
      setRunning((count) => count + 1)
      try {
        const answer = await callApi(endpoint, ...args)
        const { success, undo, quiet, isForm = false } = latest.current
        const sentence = success?.(answer) ?? endpoint.success
        if (sentence && !quiet) toastSuccess(sentence, undo && (() => undo(...args)))
        announceWrite({ endpoint, input: args[0], answer, isForm })
        void refreshQueries(endpoint.changes ?? [])
        return { done: true, answer }
      } catch (problem) {
        takeBack?.()
        // What someone else removed leaves the lists that still show it, but not what is typed into it. What a 409 refuses is no longer as shown.
        if (problem instanceof ApiError && (problem.status === 409 || (problem.status === 404 && !endpoint.body)))
          void refreshQueries(endpoint.changes ?? [])
        const { onFailure = toastError } = latest.current
        onFailure(problem, ...args)
        return { done: false, problem }
      } finally {
        setRunning((count) => count - 1)
      }
    },
    [endpoint, isView, noteFocus],
  )
  return { run, running: running > 0 }
}

const getConfirmOptions = ({ method, confirmLabel }: Endpoint) =>
  method === 'DELETE' ? { label: confirmLabel ?? 'Delete', danger: true } : { label: confirmLabel ?? 'Yes' }
