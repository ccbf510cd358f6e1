import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { readJson, sendRequest } from '#ui/data/api.ts'
import type { SearchParams } from '#ui/data/search-params.ts'
import {
  dropEmptyParams,
  formatFilters,
  formatSorting,
  type ListSorting,
  omitParams,
  parseSorting,
} from '#ui/table/list-address.ts'
import type { SavedView } from '../contract.ts'

/** What views need to know about a list on a screen. */
export type ViewedList = {
  /** The list's filters, and their initial values. */
  filters: readonly string[]
  start: SearchParams
  sorts: readonly string[]
  defaults: ListSorting
  /** How many rows there are. */
  count: (query: SearchParams, signal: AbortSignal) => Promise<number>
}

type ListEndpoint = Endpoint & {
  list: { sorts: readonly string[]; filters: Record<string, z.ZodType>; defaults: ListSorting }
}

/** Returns the `ViewedList` of a paged list. */
export function describeViewedList(endpoint: ListEndpoint, start: Record<string, unknown> = {}): ViewedList {
  const { filters, sorts, defaults } = endpoint.list
  return {
    filters: Object.keys(filters),
    start: formatFilters(start),
    sorts,
    defaults,
    count: async (query, signal) => {
      const answer = await readJson(
        await sendRequest(endpoint, { query: { ...query, page: 1, per_page: 1 } }, { signal }),
      )
      const { meta, total } = answer as { meta?: { total: number }; total?: number } // what `paged` declares
      return meta?.total ?? total ?? 0
    },
  }
}

/** A view as URL parameters. */
export type ViewState = { query: SearchParams } & ListSorting

export function readAddressState(search: SearchParams, { filters, sorts, defaults }: ViewedList): ViewState {
  const query = Object.fromEntries(Object.entries(search).filter(([name]) => filters.includes(name)))
  return { query, ...parseSorting(search, sorts, defaults) }
}

export function getViewState(view: SavedView | undefined, { start, defaults }: ViewedList): ViewState {
  if (!view) return { query: {}, sort: defaults.sort, order: defaults.order }
  return { query: dropEmptyParams(view.query, start), sort: view.sort, order: view.order }
}

export function isSameState(a: ViewState, b: ViewState): boolean {
  const toText = ({ query, sort, order }: ViewState) =>
    JSON.stringify([Object.entries(query).sort(([x], [y]) => (x < y ? -1 : 1)), sort, order])
  return toText(a) === toText(b)
}

/** Returns the URL parameters with a view in place of all filters and the order. */
export function writeViewAddress(
  search: SearchParams,
  view: string | undefined,
  { query, sort, order }: ViewState,
  { filters, defaults }: ViewedList,
): SearchParams {
  const others = omitParams(search, [...filters, 'sort', 'order', 'page', 'view'])
  const sorting = dropEmptyParams(formatSorting({ sort, order }, defaults), {})
  return { ...others, ...query, ...sorting, ...(view !== undefined && { view }) }
}
