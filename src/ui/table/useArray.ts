import type { UseQueryResult } from '@tanstack/react-query'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { useSavedRows } from '../data/saved-rows.ts'
import { useApi } from '../data/useApi.ts'
import type { TableSource } from './table-column.ts'

/** An endpoint that returns a plain array: a short list without pages. */
type ArrayEndpoint<Row = unknown> = Endpoint & { response: { _zod: { output: Row[] } } }
type ElementOf<E> = ResponseOf<E> extends readonly (infer Row)[] ? Row : never

/** Reads a short list for a table. With `kept` it is read once, and again after a write to the same resource. */
export function useArray<E extends ArrayEndpoint>(
  endpoint: E,
  options: { kept?: boolean } = {},
): TableSource<ElementOf<E>> {
  const answer = useApi<Endpoint>(endpoint, undefined, options)
  const { rows, marks } = useSavedRows({
    kind: endpoint.row,
    rows: answer.data as (ElementOf<E> & { id: number })[] | undefined, // the endpoint's own schema
    readAt: answer.dataUpdatedAt,
    question: endpoint.address,
  })
  return { ...toTableSource(answer, rows), marks }
}

/** Returns a list that is not paged as a table source. */
export function toTableSource<Row>(
  answer: UseQueryResult<unknown>,
  rows: readonly Row[] | undefined,
): TableSource<Row> {
  return {
    rows,
    total: rows?.length,
    rowsReadAt: answer.dataUpdatedAt,
    loading: answer.isPending,
    fetching: answer.isFetching,
    error: answer.error,
    retry: () => void answer.refetch(),
  }
}
