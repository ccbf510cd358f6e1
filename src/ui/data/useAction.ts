import { useCallback, useEffect, useRef, useState } from 'react'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { call, type InputArgs } from './api.ts'
import { confirm } from '../feedback/confirm.tsx'
import { say, sayFailure } from '../feedback/toast.tsx'
import { readAgain } from './useApi.ts'

type Options<E> = {
  /** Other things that this write changes, by one of their calls each. */
  refreshes?: readonly Endpoint[]
  /** The inverse call; the toast then offers Undo. */
  undo?: (...args: InputArgs<E>) => unknown
  /** Said instead of the endpoint's own sentence. */
  says?: (answer: AnswerOf<E>) => string
  /** Shows the change before the server has it. What it returns takes the change back when the call fails. */
  optimistic?: (...args: InputArgs<E>) => () => void
  /** Where the failure is shown in place: it gets the problem and there is no toast. */
  onFailure?: (problem: unknown, ...args: InputArgs<E>) => void
  /** Says nothing when it succeeds. */
  quiet?: boolean
  /** Lines under the question: what saying yes brings about. */
  details?: readonly string[] | undefined
}

/** How it ended: cancelled at the question, failed, or done with the call's answer. */
export type Outcome<E> = { done: true; answer: AnswerOf<E> } | { done: false; problem?: unknown }

/**
 * A write. `run` asks the endpoint's question, calls, says its sentence and reads the lists of the same thing again; a
 * failed call is a red toast. `run` never throws and keeps its identity, so it can be handed to memoised rows.
 */
export function useAction<E extends Endpoint>(endpoint: E, options: Options<E> = {}) {
  const [running, setRunning] = useState(0)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  const run = useCallback(
    async (...args: InputArgs<E>): Promise<Outcome<E>> => {
      const { details } = latest.current
      if (endpoint.asks && !(await confirm(endpoint.asks, { ...agreement(endpoint), details }))) return { done: false }
      const takeBack = latest.current.optimistic?.(...args)
      setRunning((count) => count + 1)
      try {
        const answer = await call(endpoint, ...args)
        const { says, undo, quiet, refreshes = [] } = latest.current
        const sentence = says?.(answer) ?? endpoint.says
        if (sentence && !quiet) say(sentence, undo && (() => undo(...args)))
        void readAgain([endpoint, ...refreshes])
        return { done: true, answer }
      } catch (problem) {
        takeBack?.()
        const { onFailure = sayFailure } = latest.current
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

const agreement = (endpoint: Endpoint) =>
  endpoint.method === 'DELETE' ? { label: 'Delete', danger: true } : { label: 'Yes' }
