import { QueryEmpty, QueryError } from '../feedback/QueryStates.tsx'
import type { TableSource } from './table-column.ts'

export type NoRowsState = Pick<TableSource<unknown>, 'error' | 'retry' | 'changed' | 'reset' | 'elsewhere'>

/** Says why a list shows no rows: it failed, or nothing matches. */
export const NoRowsMessage = ({ list }: { list: NoRowsState }) =>
  list.error ? (
    <QueryError what="This list" error={list.error} retry={list.retry} />
  ) : (
    <QueryEmpty changed={list.changed} reset={list.reset}>
      {list.elsewhere}
    </QueryEmpty>
  )
