import { replaceEqualDeep } from '@tanstack/react-query'

type IdentifiedRow = { id: number | string }
/** The response of an endpoint made with `pagedQuery(...)`, and the number of rows that `keepRowOrder` kept. */
export type ListAnswer<Row> = { data: Row[]; total?: number; meta?: { total: number }; held?: number }

/** Reads both shapes of a list response. */
export function readListAnswer<Row>(answer: unknown) {
  const list = answer as ListAnswer<Row> | undefined // as `pagedQuery` declares it
  return { rows: list?.data, total: list?.meta?.total ?? list?.total, held: list?.held ?? 0 }
}

/** Keeps the old rows in their order with their new contents; a row that the new response lacks stays unchanged. */
export function keepRowOrder(before: unknown, now: unknown): unknown {
  const [old, read] = [before, now] as (ListAnswer<IdentifiedRow> | undefined)[] // as `pagedQuery` declares it
  if (!old || !read) return now
  const byId = new Map(read.data.map((row) => [row.id, row]))
  const held = old.data.filter(({ id }) => !byId.has(id)).length
  return { ...read, data: old.data.map((row) => byId.get(row.id) ?? row), held }
}

/**
 * Uses the old objects of equal rows, wherever they stand now: those of the response on screen, then those of the last response
 * to the same query. A row whose object stays is not rendered again.
 */
export function shareRows(shown: unknown, before: unknown, now: unknown): unknown {
  const [drawn, old, read] = [shown, before, now] as (ListAnswer<IdentifiedRow> | undefined)[] // as `pagedQuery` declares it
  if (!read) return now
  const byId = new Map([...(old?.data ?? []), ...(drawn?.data ?? [])].map((row) => [row.id, row]))
  const answer = { ...read, data: read.data.map((row) => replaceEqualDeep(byId.get(row.id), row)) }
  const isSameList =
    old?.data.length === answer.data.length && answer.data.every((row, index) => row === old.data[index])
  return isSameList ? replaceEqualDeep(old, answer) : answer
}
