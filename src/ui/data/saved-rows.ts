import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'

type RowId = number | string
/** Whether a dialog created the row or changed it, or what someone else did to it; `unmatched`: the row is no longer one of the list. */
export type RowMark = 'new' | 'edited' | 'changed' | 'moved' | 'archived' | 'unarchived' | 'unmatched'
export const rowMarkLabels: Record<RowMark, string> = {
  new: 'New',
  edited: 'Edited',
  changed: 'Changed',
  moved: 'Moved to another campaign',
  archived: 'Archived',
  unarchived: 'Taken out of the archive',
  unmatched: 'No longer in this list',
}
/** A finished write and its response; `isForm` if a dialog sent it. */
type WriteResult = { endpoint: Endpoint; input: unknown; answer: unknown; isForm: boolean }
type SavedRow<Row> = { row: Row; mark: RowMark; index: number; savedAt: number }

const listeners = new Set<(write: WriteResult) => void>()

export function announceWrite(write: WriteResult): void {
  for (const listener of listeners) listener(write)
}

type ReadRows<Row> = {
  /** What the contract calls the list's rows; undefined if no write returns one. */
  kind: string | undefined
  rows: readonly Row[] | undefined
  /** When the rows were read, in milliseconds. */
  readAt: number
  /** Identifies the query; when it changes, saved rows are dropped. */
  question: string
}

/**
 * Returns the rows, together with those that dialogs created or changed since the query was made: a new row comes first and a
 * changed row keeps its place, whatever the list's order and filters are.
 */
export function useSavedRows<Row extends { id: RowId }>({ kind, rows, readAt, question }: ReadRows<Row>) {
  const [kept, setKept] = useState<{ question: string; rows: readonly SavedRow<Row>[] }>({ question, rows: [] })
  const saved = kept.question === question ? kept.rows : noRows
  const shown = useMemo(() => rows && placeSavedRows(rows, saved, readAt), [rows, saved, readAt])
  const latest = useRef({ shown, question })
  useEffect(() => {
    latest.current = { shown, question }
  })

  useEffect(() => {
    const onWrite = (write: WriteResult) =>
      setKept((before) => {
        const now = latest.current
        const saved = before.question === now.question ? before.rows : []
        return { question: now.question, rows: applyWrite(saved, write, kind, now.shown ?? []) }
      })
    listeners.add(onWrite)
    return () => void listeners.delete(onWrite)
  }, [kind])

  const marks = useMemo(() => new Map<RowId, RowMark>(saved.map(({ row, mark }) => [row.id, mark])), [saved])
  /** Changes a saved row on screen at once. Returns a function that undoes it. Its identity is stable. */
  const patch = useCallback((id: RowId, fields: Partial<Row>) => {
    const write = (change: (row: Row) => Row) =>
      setKept((before) =>
        before.rows.some(({ row }) => row.id === id)
          ? { ...before, rows: before.rows.map((one) => (one.row.id === id ? { ...one, row: change(one.row) } : one)) }
          : before,
      )
    let old: Row | undefined
    write((row) => {
      old = row
      return { ...row, ...fields }
    })
    return () => write((row) => old ?? row)
  }, [])
  return { rows: shown, marks, patch }
}

const noRows: readonly never[] = []

function placeSavedRows<Row extends { id: RowId }>(
  rows: readonly Row[],
  saved: readonly SavedRow<Row>[],
  readAt: number,
): readonly Row[] {
  if (saved.length === 0) return rows
  const read = new Map(rows.map((row) => [row.id, row]))
  const placed = rows.filter(({ id }) => !saved.some(({ row }) => row.id === id))
  for (const { row, index, savedAt } of saved) {
    const fresh = readAt > savedAt ? read.get(row.id) : undefined
    placed.splice(index, 0, fresh ?? row)
  }
  return placed
}

function applyWrite<Row extends { id: RowId }>(
  saved: readonly SavedRow<Row>[],
  { endpoint, input, answer, isForm }: WriteResult,
  kind: string | undefined,
  shown: readonly Row[],
): readonly SavedRow<Row>[] {
  if (kind === undefined || endpoint.row !== kind) return saved
  if (endpoint.method === 'DELETE') {
    const removed = (input as { params?: { id?: number } } | undefined)?.params?.id // the input of a DELETE
    return saved.some(({ row }) => row.id === removed) ? saved.filter(({ row }) => row.id !== removed) : saved
  }
  const row = answer as Row // of the list's own schema: test/contract.test.ts
  const known = saved.find((one) => one.row.id === row.id)
  if (known) return saved.map((one) => (one === known ? { ...one, row, savedAt: Date.now() } : one))
  if (!isForm) return saved
  const index = shown.findIndex(({ id }) => id === row.id)
  const isNew = endpoint.method === 'POST' && !endpoint.path.includes('/:')
  if (!isNew && index < 0) return saved
  const added: SavedRow<Row> = { row, mark: isNew ? 'new' : 'edited', index: Math.max(0, index), savedAt: Date.now() }
  return isNew ? [...saved.map((one) => ({ ...one, index: one.index + 1 })), added] : [...saved, added]
}
