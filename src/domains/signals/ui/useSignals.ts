import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { buildQuery } from '#ui/data/useApi.ts'
import { signalsContract } from '../contract.ts'

const refetchIntervalMs = 60_000 // as often as detectors run
const perPage = 200

/** Reads signals, usually all in one call; `readMore` reads one more page. */
export function useSignals(query: { state?: 'open' | 'today'; campaign_id?: number }) {
  const [pages, setPages] = useState(1)
  const reads = useQueries({
    queries: Array.from({ length: pages }, (_, index) => ({
      ...buildQuery(signalsContract.list, { query: { ...query, page: index + 1, per_page: perPage } }, { quiet: true }),
      staleTime: 5000, // the figures of Home and its list are read together
    })),
  }) as UseQueryResult<ResponseOf<typeof signalsContract.list>>[] // held against the contract in the server's tests
  const answers = reads.flatMap(({ data }) => (data ? [data] : []))
  const seen = new Set<number>()
  // A row can move to the next page between two reads.
  const signals = answers.flatMap(({ data }) => data.filter(({ id }) => !seen.has(id) && seen.add(id)))
  const [first] = answers
  const total = first && 'total' in first ? first.total : 0
  return {
    signals: answers.length > 0 ? signals : undefined,
    readAt: Math.min(...reads.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    more: Math.max(0, total - pages * perPage),
    readMore: () => setPages(pages + 1),
    error: reads.find(({ error }) => error)?.error ?? null,
    retry: () => Promise.all(reads.map(({ refetch }) => refetch())),
  }
}

/** The signals of Home: open ones and those closed today. Overdue tasks are among the user's tasks. */
export function useHomeSignals() {
  const read = useSignals({ state: 'today' })
  return { ...read, signals: read.signals?.filter(({ kind }) => kind !== 'task_overdue') }
}

/** Counts the signals that need someone, every minute while the tab is visible. */
export function useSignalCount() {
  return useQuery({
    ...buildQuery(signalsContract.count, undefined, { quiet: true }),
    refetchInterval: refetchIntervalMs,
    refetchOnWindowFocus: true,
    staleTime: refetchIntervalMs / 2,
  }) as UseQueryResult<ResponseOf<typeof signalsContract.count>> // as above
}
