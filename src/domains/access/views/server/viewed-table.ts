import { z } from 'zod'
import type { AccessRule } from '#contract/allow.ts'
import type { CurrentUser } from '../../server/current-user.ts'

/** What views need to know about a list. */
export type ViewedTable = {
  allow: AccessRule
  /** The parameters of the list. */
  query: z.ZodObject
  /** All valid column names. If absent, the screen decides. */
  columns?: readonly string[]
  /** Whether this person may see a column. */
  mayShow?: (me: CurrentUser, column: string) => boolean
  /** Returns the filters in a parsed query that this person may not use, including `sort`. */
  findRefused?: (me: CurrentUser, query: Record<string, unknown>) => string[]
}

/** Parameters that a view stores elsewhere, or not at all. */
export const notFilters = ['page', 'sort', 'order', 'cache']

/** Returns the schemas of the filters that a view of this list may have. */
export function getFilterSchemas({ query }: ViewedTable): Map<string, z.ZodType> {
  const { shape } = query
  return new Map(Object.entries(shape as Record<string, z.ZodType>).filter(([name]) => !notFilters.includes(name)))
}

/** Returns the list's default order. */
export function readListOrder({ query }: ViewedTable): { sort: string; order: 'asc' | 'desc' } {
  return orderSchema.parse(query.parse({}))
}
const orderSchema = z.object({ sort: z.string(), order: z.enum(['asc', 'desc']) })

/** Returns whether the list can be sorted by this column. */
export const isSort = ({ query }: ViewedTable, sort: string) => query.safeParse({ sort }).success
