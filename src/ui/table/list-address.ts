import type { z } from 'zod'
import type { SearchParams } from '../data/search-params.ts'

/** How the state of a list is written in an address: plain text, arrays comma-separated, nothing that is a default. */

export type ListSorting = { sort: string; order: 'asc' | 'desc' }

/** Filters as text. Those named are there even when empty, so that they can overwrite. */
export function formatFilters(filters: Record<string, unknown>): SearchParams {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, formatFilterValue(value)]))
}

function formatFilterValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Filters from text. What does not parse is not set: an address may come from anywhere. */
export function parseFilters(schemas: Record<string, z.ZodType>, search: SearchParams): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const text = search[name]
    if (text === undefined || text === '') continue
    const result = schema.safeParse(text)
    if (result.success && result.data !== undefined) found[name] = result.data
  }
  return found
}

/** Drops whatever only repeats the start. An empty value stays where the start is not empty: it was cleared. */
export function dropDefaultParams(search: SearchParams, start: SearchParams): SearchParams {
  return Object.fromEntries(Object.entries(search).filter(([name, text]) => text !== (start[name] ?? '')))
}

export function omitParams(search: SearchParams, names: readonly string[]): SearchParams {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)))
}

/** A sort that the list does not know falls back to its own. */
export function parseSorting(search: SearchParams, sorts: readonly string[], defaults: ListSorting): ListSorting {
  const { sort = '', order } = search
  if (sorts.includes(sort)) return { sort, order: order === 'desc' ? 'desc' : 'asc' }
  return { sort: defaults.sort, order: defaults.order }
}

/** A click on a column: ascending, then descending, then back to the list's own order. No click does nothing. */
export function getNextSorting(column: string, now: ListSorting, defaults: ListSorting): ListSorting {
  if (now.sort !== column) return { sort: column, order: 'asc' }
  if (now.order === 'asc') return { sort: column, order: 'desc' }
  return isSameSorting(now, defaults) ? { sort: column, order: 'asc' } : { ...defaults }
}
const isSameSorting = (a: ListSorting, b: ListSorting) => a.sort === b.sort && a.order === b.order

export function formatSorting(next: ListSorting, defaults: ListSorting): SearchParams {
  return isSameSorting(next, defaults) ? { sort: '', order: '' } : { sort: next.sort, order: next.order }
}

export function parseWholeNumber(text: string | undefined, most: number): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) && Number(text) <= most ? Number(text) : undefined
}
