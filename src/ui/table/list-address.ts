import type { z } from 'zod'
import type { SearchParams } from '../data/search-params.ts'

/** Writes the state of a list into an address: plain text, arrays comma-separated, and only what was chosen. */

export type ListSorting = { sort: string; order: 'asc' | 'desc' }

/** Formats filters as text. Empty filters are kept, so that they can override. */
export function formatFilters(filters: Record<string, unknown>): SearchParams {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, formatFilterValue(value)]))
}

function formatFilterValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Parses filters from text. Ignores invalid ones: an address may come from anywhere. */
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

/**
 * Drops empty parameters, except where the default is not empty: it was cleared. What equals a default stays, because it was chosen: the
 * default may be another one tomorrow.
 */
export function dropEmptyParams(search: SearchParams, start: SearchParams): SearchParams {
  return Object.fromEntries(Object.entries(search).filter(([name, text]) => text !== '' || (start[name] ?? '') !== ''))
}

export function omitParams(search: SearchParams, names: readonly string[]): SearchParams {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)))
}

/** Reads the sort from an address; an unknown one falls back to the list's default. */
export function parseSorting(search: SearchParams, sorts: readonly string[], defaults: ListSorting): ListSorting {
  const { sort = '', order } = search
  if (sorts.includes(sort)) return { sort, order: order === 'desc' ? 'desc' : 'asc' }
  return { sort: defaults.sort, order: defaults.order }
}

/** Returns the sort after a click on a column: ascending, then descending, then the list's default. Every click changes the order. */
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
