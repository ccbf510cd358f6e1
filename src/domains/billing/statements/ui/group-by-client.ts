import type { ListedStatement } from '../list/contract.ts'

/** `isFirst`: of the rows of a client that follow each other, the only one to name them. `sum` is of all that are listed of them. */
export type StatementRow = ListedStatement & { isFirst?: true; sum?: { count: number; total: number } }
/** Which rows there are. `isByClient`: no client has rows in two places. */
type ListedPage = { isByClient: boolean; page: number; perPage: number; total: number }

/** Groups the rows of each client. One whose rows may go on where they are not seen, on another page or elsewhere in this one, has no sum. */
export function groupByClient(
  rows: readonly ListedStatement[],
  { isByClient, page, perPage, total }: ListedPage,
): StatementRow[] {
  const groups: ListedStatement[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last?.[0]?.client.id === row.client.id) last.push(row)
    else groups.push([row])
  }
  return groups.flatMap(([first, ...others], place) => {
    const isCut = (place === 0 && page > 1) || (place === groups.length - 1 && page * perPage < total)
    const isSummed = isByClient && !isCut && others.length > 0
    return [{ ...first!, isFirst: true, ...(isSummed && { sum: sumOf([first!, ...others]) }) }, ...others]
  })
}

const sumOf = (rows: readonly ListedStatement[]) => ({
  count: rows.length,
  total: rows.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100,
})
