import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { z } from 'zod'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { useSavedRows } from '../data/saved-rows.ts'
import { type SearchParams, useLocalSearchParams, useSearchParams } from '../data/search-params.ts'
import { buildQuery, getQueryKey } from '../data/useApi.ts'
import { countSetFilters } from './count-set-filters.ts'
import {
  dropEmptyParams,
  formatFilters,
  formatSorting,
  getNextSorting,
  type ListSorting,
  omitParams,
  parseFilters,
  parseSorting,
  parseWholeNumber,
} from './list-address.ts'
import { keepRowOrder, type ListAnswer, readListAnswer, shareRows } from './list-answer.ts'
import type { TableSource } from './table-column.ts'

/** An endpoint made with `pagedQuery(...)`. */
type ListEndpoint = Endpoint & {
  list: {
    row: z.ZodType<{ id: number | string }>
    sorts: readonly string[]
    filters: Record<string, z.ZodType>
    defaults: ListSorting & { perPage: number }
  }
}
type RowOf<E extends ListEndpoint> = z.output<E['list']['row']>
export type SortOf<E extends ListEndpoint> = E['list']['sorts'][number]
type FiltersOf<E extends ListEndpoint> = {
  [Name in keyof E['list']['filters']]: z.output<E['list']['filters'][Name]>
}
type FilterName<E extends ListEndpoint> = keyof E['list']['filters'] & string

/** Binds a control to a filter: `<SearchFilter label="IP" {...list.filter('ip')} />`. */
export type FilterBinding<Value> = {
  name: string
  value: Value
  /** `replace` rewrites the current entry of the browser's history instead of adding one. */
  set: (value: Value, replace?: boolean) => void
}

type ListOptions<E extends ListEndpoint> = {
  /** The default values of the filters. */
  start?: Partial<FiltersOf<E>>
  /** Filters that are sent with every call and that the user cannot change. */
  fixed?: Partial<FiltersOf<E>>
  /** Filters that are shown as tabs: they are no reason to reset, and Reset leaves them. */
  tabs?: readonly FilterName<E>[]
  /** `here` does not use the address bar: for lists in dialogs. */
  keep?: 'address' | 'here'
  /**
   * For rows that are edited in place: when the list is refreshed after a write, rows are updated, but none moves, appears or
   * disappears until the query changes or `retry` is called.
   */
  hold?: boolean
  enabled?: boolean
  /** Keeps the response until a write to the same resource or a reload. */
  kept?: boolean
  /** The path parameters of the call. */
  params?: Record<string, number>
}

export type ListState<E extends ListEndpoint> = TableSource<RowOf<E>, SortOf<E>> & {
  page: number
  perPage: number
  setPage: (page: number) => void
  setPerPage: (size: number) => void
  filters: FiltersOf<E>
  filter: <Name extends FilterName<E>>(name: Name) => FilterBinding<FiltersOf<E>[Name]>
  setFilters: (next: Partial<FiltersOf<E>>, replace?: boolean) => void
  /** Takes filters out of the address, so that their start applies. */
  restore: (...names: FilterName<E>[]) => void
  /** Whether this filter differs from its start. */
  isSet: (name: FilterName<E>) => boolean
  setCount: number
  /** The filters that are sent, including `fixed`; for exports and statistics of the same rows. */
  sent: FiltersOf<E>
  /** The number of rows that `hold` keeps although the last response does not have them any more. */
  held: number
  /** When the last response or failure came, in milliseconds. */
  readAt: number
  /** The rows are still those of the query before. */
  isPrevious: boolean
  /** The whole response, for data besides the rows. */
  answer: ResponseOf<E> | undefined
  /** Changes one row on screen at once. Returns a function that undoes it. Its identity is stable. */
  patch: (id: number | string, fields: Partial<RowOf<E>>) => () => void
}

/**
 * Reads a paged list: filters, sort and page are kept in the address bar as they were chosen. Rows stay on
 * screen while the next ones load.
 */
export function useList<E extends ListEndpoint>(endpoint: E, options: ListOptions<E> = {}): ListState<E> {
  const { defaults, filters: schemas, sorts } = endpoint.list
  const inAddress = useSearchParams()
  const own = useLocalSearchParams()
  const [search, write] = options.keep === 'here' ? own : inAddress

  const start = formatFilters(options.start ?? {})
  // Parsed by the schemas of this endpoint.
  const filters = useMemo(
    () => parseFilters(schemas, { ...start, ...search }),
    [schemas, start, search],
  ) as FiltersOf<E>
  const sort = parseSorting(search, sorts, defaults)
  const page = parseWholeNumber(search.page, 1_000_000) ?? 1
  const perPage = parseWholeNumber(search.per_page, 200) ?? defaults.perPage

  const sent = { ...filters, ...options.fixed }
  const query = { ...sent, ...sort, page, per_page: perPage }
  const isNewQuestion = useRef(true)
  const lastAnswer = useRef<unknown>(undefined)
  const answer = useQuery({
    ...buildQuery(
      endpoint,
      { params: options.params, query },
      { enabled: options.enabled ?? true, kept: options.kept ?? false, early: options.keep !== 'here' },
    ),
    placeholderData: keepPreviousData,
    structuralSharing: (before, now) =>
      shareRows(lastAnswer.current, before, options.hold && !isNewQuestion.current ? keepRowOrder(before, now) : now),
  })
  useEffect(() => {
    lastAnswer.current = answer.data
  }, [answer.data])
  const asking = JSON.stringify([options.params, query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the query changes.
  useEffect(() => {
    isNewQuestion.current = true
  }, [asking])
  // biome-ignore lint/correctness/useExhaustiveDependencies: also runs when the query changes: a cached response is refreshed first.
  useEffect(() => {
    if (!answer.isFetching) isNewQuestion.current = false
  }, [answer.isFetching, asking])
  const { rows: read, total, held } = useMemo(() => readListAnswer<RowOf<E>>(answer.data), [answer.data])
  const saved = useSavedRows({
    kind: endpoint.row,
    rows: read,
    readAt: answer.dataUpdatedAt,
    question: asking,
  })

  const names = Object.keys(schemas).filter((name) => !options.tabs?.includes(name))
  const change = (next: SearchParams, replace?: boolean) =>
    write((before) => dropEmptyParams({ ...before, page: '', ...next }, start), replace)
  const setPage = (to: number, replace?: boolean) => change({ page: to === 1 ? '' : String(to) }, replace)
  // The only row of the last page was removed, or a link names a page that is gone.
  const lastPage = Math.ceil((total ?? 0) / perPage) || 1
  const isPastEnd = read?.length === 0 && page > lastPage && !answer.isPlaceholderData
  useEffect(() => {
    if (isPastEnd) setPage(lastPage, true)
  })
  const isSet = (name: FilterName<E>) => name in search && search[name] !== (start[name] ?? '')

  return {
    rows: saved.rows,
    marks: saved.marks,
    total,
    rowsReadAt: answer.dataUpdatedAt,
    loading: answer.isPending,
    isPrevious: answer.isPlaceholderData,
    fetching: answer.isFetching,
    error: answer.error,
    retry: () => {
      isNewQuestion.current = true
      void answer.refetch()
    },
    page,
    perPage,
    setPage,
    setPerPage: (size) => change({ per_page: size === defaults.perPage ? '' : String(size) }),
    sort: sort.sort,
    order: sort.order,
    sortBy: (column) => change(formatSorting(getNextSorting(column, sort, defaults), defaults)),
    filters,
    filter: (name) => ({
      name,
      value: filters[name],
      set: (value, replace) => change(formatFilters({ [name]: value }), replace),
    }),
    setFilters: (next, replace) => change(formatFilters(next), replace),
    isSet,
    changed: names.some((name) => isSet(name)),
    setCount: countSetFilters(names, isSet),
    restore: (...filters) => write((before) => omitParams(before, filters), true),
    reset: () => write((before) => omitParams(before, [...names, 'page'])),
    sent,
    held,
    readAt: Math.max(answer.dataUpdatedAt, answer.errorUpdatedAt),
    answer: answer.data as ResponseOf<E> | undefined, // the server's tests check it against the contract
    patch: usePatchRow<E>(endpoint, saved.patch),
  }
}

function usePatchRow<E extends ListEndpoint>(endpoint: E, patchSaved: ListState<E>['patch']): ListState<E>['patch'] {
  const cache = useQueryClient()
  return useCallback(
    (id, fields) => {
      const queryKey = getQueryKey(endpoint)
      // A pending response is older than the change, and would hide it.
      void cache.cancelQueries({ queryKey })
      let old: Partial<RowOf<E>> = {}
      const write = (change: (row: RowOf<E>) => RowOf<E>) =>
        // The same call answers choosers with a plain list.
        cache.setQueriesData<Partial<ListAnswer<RowOf<E>>>>({ queryKey }, (answer) =>
          answer?.data ? { ...answer, data: answer.data.map((row) => (row.id === id ? change(row) : row)) } : answer,
        )
      write((row) => {
        old = Object.fromEntries(Object.keys(fields).map((name) => [name, row[name as keyof typeof row]])) as Partial<
          RowOf<E>
        >
        return { ...row, ...fields }
      })
      const takeBackSaved = patchSaved(id, fields)
      return () => {
        write((row) => ({ ...row, ...old }))
        takeBackSaved()
      }
    },
    [cache, endpoint, patchSaved],
  )
}
