import { useMemo, useState } from 'react'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { type SavedView, viewsContract } from '../contract.ts'

/** The URL value for the whole list, for users who have a default view. */
export const wholeListView = 'all'

export const useViews = (table: string) =>
  useApi(viewsContract.list, { query: { table } }, { kept: true, quiet: true }).data

/** Returns the view in the URL. */
function useChosenView(table: string): SavedView | undefined {
  const [{ view }] = useSearchParams()
  return useViews(table)?.find(({ id }) => String(id) === view)
}

type HiddenColumns = readonly [hidden: ReadonlySet<string>, save: (hidden: readonly string[]) => void]
const nothingHidden: HiddenColumns = [new Set(), () => {}]

/**
 * Returns the columns of a list under the current view, in the view's order. Further hidden columns belong to the
 * unsaved view, or to the person if the view has no columns of its own.
 */
export function useViewColumns<Column extends { key: string }>(
  table: string,
  columns: readonly Column[],
  own: HiddenColumns = nothingHidden,
): [columns: readonly Column[], ...HiddenColumns] {
  const view = useChosenView(table)
  const [changed, setChanged] = useState<{ view: number; hidden: ReadonlySet<string> } | null>(null)
  const keys = view?.columns.join() ?? ''
  const [ordered, viewHidden] = useMemo(() => orderColumns(columns, keys), [columns, keys])
  if (!view || keys === '') return [columns, ...own]
  const hidden = changed?.view === view.id ? changed.hidden : viewHidden
  return [ordered, hidden, (hide) => setChanged({ view: view.id, hidden: new Set(hide) })]
}

function orderColumns<Column extends { key: string }>(columns: readonly Column[], keys: string) {
  const order = keys.split(',')
  const placeOf = ({ key }: Column) => (order.includes(key) ? order.indexOf(key) : order.length)
  const hidden: ReadonlySet<string> = new Set(columns.map(({ key }) => key).filter((key) => !order.includes(key)))
  return [columns.toSorted((a, b) => placeOf(a) - placeOf(b)), hidden] as const
}
