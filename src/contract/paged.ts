import { z } from 'zod'
import { queryInt } from './fields.ts'

/** Page sizes that the screens offer; a call takes any from 1 to 200. */
export const pageSizes = [50, 100, 200] as const

type Shape = Record<string, z.ZodType>

/**
 * The usual list call: page, per_page, sort, order and cache around the list's own filters.
 * `sorts` are exactly the columns that the server sorts by; a screen cannot name another.
 * `total` says where the total stands: `meta` (campaigns, clients, leads) or beside the data (every other list).
 */
export function paged<
  Row extends z.ZodType,
  const Sorts extends readonly [string, ...string[]],
  Filters extends Shape,
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
    sort: z.preprocess(blank, z.enum(list.sorts).default(list.sort)),
    order: z.preprocess(blank, z.enum(['asc', 'desc']).default(order)),
    cache: z.unknown().optional(),
    ...list.filters,
  })
  const data = z.array(list.row)
  const total = z.int().min(0)
  return {
    query,
    answers: list.total === 'meta' ? z.object({ data, meta: z.object({ total }) }) : z.object({ data, total }),
    list: {
      row: list.row,
      sorts: list.sorts,
      filters: list.filters,
      defaults: { sort: list.sort as Sorts[number], order, perPage: list.perPage },
    },
  }
}

const blank = (value: unknown) => (value === '' ? undefined : value)
