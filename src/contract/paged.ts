import { z } from 'zod'
import type { AccessRule } from './allow.ts'
import { endpoint } from './endpoint.ts'
import { blankToUndefined, queryInt } from './fields.ts'

/** Page sizes that the screens offer; a call accepts any from 1 to 200. */
export const pageSizes = [50, 100, 200] as const

type FilterShape = Record<string, z.ZodType>

/**
 * Describes a standard list call: page, per_page, sort, order and cache, and the list's own filters.
 * `sorts` are exactly the columns that the server sorts by; a screen cannot name another.
 * `total` says where the response has the total: in `meta` (campaigns, clients, leads) or next to `data` (every other list).
 */
export function pagedQuery<
  Row extends z.ZodType,
  const Sorts extends readonly [string, ...string[]],
  Filters extends FilterShape,
>(list: {
  row: Row
  sorts: Sorts
  sort: Sorts[number]
  order?: 'asc' | 'desc'
  perPage: number
  total?: 'meta' | 'beside'
  filters: Filters
}) {
  const order = list.order ?? 'asc'
  const query = z.object({
    page: queryInt().default(1),
    per_page: queryInt(1, 200).default(list.perPage),
    sort: z.preprocess(blankToUndefined, z.enum(list.sorts).default(list.sort)),
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
      sorts: list.sorts,
      filters: list.filters,
      defaults: { sort: list.sort as Sorts[number], order, perPage: list.perPage },
    },
  }
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
