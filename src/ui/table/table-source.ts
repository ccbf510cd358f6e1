import type { UseQueryResult } from '@tanstack/react-query'
import type { TableSource } from './table-column.ts'

/** Returns a list that is not paged as a table source. */
export function toTableSource<Row>(
  answer: UseQueryResult<unknown>,
  rows: readonly Row[] | undefined,
): TableSource<Row> {
  return {
    rows,
    total: rows?.length,
    loading: answer.isPending,
    fetching: answer.isFetching,
    error: answer.error,
    retry: () => void answer.refetch(),
  }
}
