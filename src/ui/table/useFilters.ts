import type { z } from 'zod'
import { useSearchParams } from '../data/search-params.ts'
import { countSetFilters } from './count-set-filters.ts'
import { dropEmptyParams, formatFilters, omitParams, parseFilters } from './list-address.ts'
import type { FilterBinding } from './useList.ts'

type FilterSchemas = Record<string, z.ZodType>
type FilterValues<S extends FilterSchemas> = { [Name in keyof S]?: z.output<S[Name]> }

/** Keeps the filters of a screen without a list in the address bar, as they were chosen. */
export function useFilters<S extends FilterSchemas, Start extends FilterValues<S>>(schemas: S, start: Start) {
  const [search, write] = useSearchParams()
  const first = formatFilters(start)
  const names = Object.keys(schemas)
  const unreadable = names.filter((name) => search[name] && !schemas[name]?.safeParse(search[name]).success)
  const readable = { ...first, ...omitParams(search, unreadable) }
  const filters = parseFilters(schemas, readable) as FilterValues<S> & Start // parsed by these schemas
  const setFilters = (next: FilterValues<S>, replace?: boolean) =>
    write((before) => dropEmptyParams({ ...before, ...formatFilters(next) }, first), replace)
  /** Whether this filter differs from its start. */
  const isSet = (name: string) => name in search && search[name] !== (first[name] ?? '')
  return {
    filters,
    setFilters,
    filter: <Name extends keyof S & string>(name: Name): FilterBinding<FilterValues<S>[Name]> => ({
      name,
      value: filters[name],
      set: (value, replace) => setFilters({ [name]: value } as FilterValues<S>, replace), // the value of that name
    }),
    isSet,
    changed: names.some(isSet),
    setCount: countSetFilters(names, isSet),
    reset: () => write((before) => omitParams(before, names)),
  }
}
