import type { z } from 'zod'
import type { Search } from '../data/search-params.ts'

/** How the state of a list is written in an address: plain text, arrays comma-separated, nothing that is a default. */

export type Sorting = { sort: string; order: 'asc' | 'desc' }

/** Filters as text. Those named are there even when empty, so that they can overwrite. */
export function written(filters: Record<string, unknown>): Search {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Filters from text. What does not parse is not set: an address may come from anywhere. */
export function parsed(schemas: Record<string, z.ZodType>, search: Search): Record<string, unknown> {
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
export function tidy(search: Search, start: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([name, text]) => text !== (start[name] ?? '')))
}

export function without(search: Search, names: readonly string[]): Search {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)))
}

/** A sort that the list does not know falls back to its own. */
export function sorting(search: Search, sorts: readonly string[], defaults: Sorting): Sorting {
  const { sort = '', order } = search
  if (sorts.includes(sort)) return { sort, order: order === 'desc' ? 'desc' : 'asc' }
  return { sort: defaults.sort, order: defaults.order }
}

/** A click on a column: ascending, then descending, then back to the list's own order. No click does nothing. */
export function nextSort(column: string, now: Sorting, defaults: Sorting): Sorting {
  if (now.sort !== column) return { sort: column, order: 'asc' }
  if (now.order === 'asc') return { sort: column, order: 'desc' }
  return sameSort(now, defaults) ? { sort: column, order: 'asc' } : { ...defaults }
}
const sameSort = (a: Sorting, b: Sorting) => a.sort === b.sort && a.order === b.order

export function sortText(next: Sorting, defaults: Sorting): Search {
  return sameSort(next, defaults) ? { sort: '', order: '' } : { sort: next.sort, order: next.order }
}

export function wholeNumber(text: string | undefined, most: number): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) && Number(text) <= most ? Number(text) : undefined
}
