import type { z } from 'zod'
import { useAddress } from '../data/search-params.ts'
import { parsed, tidy, without, written } from './list-address.ts'
import type { FilterAt } from './useList.ts'

type Schemas = Record<string, z.ZodType>
type Values<S extends Schemas> = { [Name in keyof S]?: z.output<S[Name]> }

/** Filters of a screen that is no list, kept in the address bar as far as they differ from `start`. */
export function useFilters<S extends Schemas, Start extends Values<S>>(schemas: S, start: Start) {
  const [search, write] = useAddress()
  const first = written(start)
  const filters = parsed(schemas, { ...first, ...search }) as Values<S> & Start // these very schemas made them
  const names = Object.keys(schemas)
  const setFilters = (next: Values<S>, replace?: boolean) =>
    write((before) => tidy({ ...before, ...written(next) }, first), replace)
  return {
    filters,
    setFilters,
    filter: <Name extends keyof S & string>(name: Name): FilterAt<Values<S>[Name]> => ({
      name,
      value: filters[name],
      set: (value, replace) => setFilters({ [name]: value } as Values<S>, replace), // a value of that very name
    }),
    changed: names.some((name) => name in search && search[name] !== (first[name] ?? '')),
    reset: () => write((before) => without(before, names)),
  }
}
