import { z } from 'zod'
import type { AccessRule } from './allow.ts'
import { endpoint } from './endpoint.ts'
import {
  type FieldDefinitions,
  type FieldFilters,
  getRowShape,
  listFilters,
  listSorts,
  type RowShape,
  type SortName,
} from './field-definitions.ts'
import { blankToUndefined, queryInt } from './fields.ts'
import { type FilterDefinitions, getFilterShape } from './filter-definitions.ts'

/** Page sizes that the screens offer; a call accepts any from 1 to 200. */
export const pageSizes = [50, 100, 200] as const

/**
 * Describes a standard list call: page, per_page, sort, order and cache, and the list's own filters.
 * `sorts` are exactly the columns that the server sorts by; a screen cannot name another.
 * `total` says where the response has the total: in `meta` (campaigns, clients, leads) or next to `data` (every other list).
 */
export function pagedQuery<
  Row extends z.ZodType,
  Filters extends Record<string, z.ZodType>,
  const Sort extends string,
  const Sorts extends readonly [string, ...string[]] = readonly [Sort],
>(list: {
  row: Row
  /** By default only `sort`. */
  sorts?: Sorts
  sort: Sort & NoInfer<Sorts[number]>
  order?: 'asc' | 'desc'
  perPage: number
  total?: 'meta' | 'beside'
  filters: Filters
}) {
  const order = list.order ?? 'asc'
  const sorts = list.sorts ?? ([list.sort] as unknown as Sorts) // the default of the type
  const query = z.object({
    page: queryInt().default(1),
    per_page: queryInt(1, 200).default(list.perPage),
    sort: z.preprocess(blankToUndefined, z.enum(sorts).default(list.sort)),
    order: z.preprocess(blankToUndefined, z.enum(['asc', 'desc']).default(order)),
    cache: z.unknown().optional(),
    ...list.filters,
  })
  const data = z.array(list.row)
  const total = z.int().min(0)
  return {
    query,
    response: list.total === 'meta' ? z.object({ data, meta: z.object({ total }) }) : z.object({ data, total }),
    list: {
      row: list.row,
      sorts,
      filters: list.filters,
      defaults: { sort: list.sort as Sorts[number], order, perPage: list.perPage },
    },
  }
}

/** Describes the list call of these fields: row, sorts and filters follow from them, unless `row` or `filters` say more. */
export const pagedFields = <
  F extends FieldDefinitions,
  Row extends z.ZodType = z.ZodObject<RowShape<F>>,
  Filters extends FilterDefinitions = FieldFilters<F>,
>(
  fields: F,
  list: {
    row?: Row
    filters?: Filters
    /** The names of the sorts, where their order is not that of the fields. */
    sorts?: readonly [SortName<F>, ...SortName<F>[]]
    sort: SortName<F>
    order?: 'asc' | 'desc'
    perPage: number
    total?: 'meta' | 'beside'
  },
) => {
  const own = listFilters(fields)
  const [name] = Object.keys(own)
  if (list.filters && name !== undefined) throw new Error(`The filter of ${name} belongs to the list’s other filters`)
  return pagedQuery({
    ...list,
    row: (list.row ?? z.object(getRowShape(fields))) as Row, // the defaults of the type
    sorts: list.sorts ?? listSorts(fields),
    filters: getFilterShape((list.filters ?? own) as Filters),
  })
}

/** Returns the total of a list, from either place. */
export const readListTotal = (answer: { total: number } | { meta: { total: number } }) =>
  'total' in answer ? answer.total : answer.meta.total

/** Describes the call that returns a list as a file, with the same filters, order and rule as the list. */
export function exportEndpoint<const A extends `GET /${string}`, Query extends z.ZodType>(
  address: A,
  { allow, query, file }: { allow: AccessRule; query: Query; file: string },
) {
  const description = `The filtered list as ${file}, streamed; one export per user at a time.`
  return endpoint(address, { allow, description, query, file, streams: true })
}
