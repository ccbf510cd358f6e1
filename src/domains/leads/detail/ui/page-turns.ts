import { useEffect, useRef } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'

/** A paged list. */
export type LeadPages = {
  rows: readonly Lead[] | undefined
  fetching: boolean
  error: Error | null
  total: number | undefined
  held: number
  readAt: number
  page: number
  perPage: number
  setPage: (page: number) => void
  retry: () => void
}

/** A pending step past a page's last lead, or before its first one, until the next lead has the focus. */
type PageTurn = {
  step: 1 | -1
  /** The lead that it started from. */
  from: number | undefined
  /** The leads on the page before the step. */
  passed: ReadonlySet<number>
  /** The awaited page, and the page that the list may show until it arrives. */
  page: number
  before: number
  /** When the old page was read: the awaited one is newer. Undefined while edits are being saved. */
  readAt: number | undefined
}

/** Returns whether there is a next or previous page. Rows that have left the list are on the page, but not in the total. */
export const hasPage = ({ page, perPage, total = 0, held }: LeadPages, step: 1 | -1) =>
  step === 1 ? page * perPage < total + held : page > 1

/**
 * Continues past a page's last lead, or before its first one. Leads with a verdict may have left the list, and others taken their
 * places: once all edits are saved, the page is read again, and the step leads to the first lead that was not on it.
 */
export function usePageTurns(list: LeadPages, whenSaved: () => Promise<unknown>, show: (place: number) => void) {
  const turn = useRef<PageTurn>(undefined)
  const drawn = useRef<readonly Lead[]>(undefined)

  function start(step: 1 | -1, from: number | undefined) {
    const { page, rows = [] } = list
    if (turn.current || !hasPage(list, step)) return
    const passed = new Set(rows.map(({ id }) => id))
    const begun: PageTurn = { step, from, passed, page, before: page, readAt: undefined }
    turn.current = begun
    void whenSaved().then(() => {
      if (turn.current !== begun) return
      const { readAt, retry } = latest.current.list
      begun.readAt = readAt
      retry()
    })
  }

  function goOn() {
    const { current } = turn
    if (!current || current.readAt === undefined) return
    const { rows, page, error, fetching, readAt } = list
    if (page !== current.page && page !== current.before) turn.current = undefined
    else if (page === current.page && !fetching && readAt !== current.readAt) {
      if (error || !rows) turn.current = undefined
      else if (drawn.current === rows) land(current, rows)
    }
  }

  function land(current: PageTurn, rows: readonly Lead[]) {
    const { step, passed, page, from } = current
    const isPassed = ({ id }: Lead) => passed.has(id)
    const first = rows.findIndex(isPassed)
    const place = step === 1 ? rows.findLastIndex(isPassed) + 1 : (first < 0 ? rows.length : first) - 1
    const goesOn = rows[place] === undefined && hasPage(list, step)
    turn.current = goesOn ? { ...current, page: page + step, before: page, readAt: 0 } : undefined
    if (goesOn) return list.setPage(page + step)
    const begun = rows.findIndex(({ id }) => id === from)
    // Without a next lead the focus stays where it was, or as near as possible.
    show(rows[place] ? place : begun >= 0 ? begun : step === 1 ? rows.length - 1 : 0)
  }

  const latest = useRef({ list, goOn })
  useEffect(() => {
    latest.current = { list, goOn }
    goOn()
  })
  return {
    start,
    isOn: () => turn.current !== undefined,
    /** Called when new rows are rendered, which is later than they arrive. */
    setDrawn: (rows: readonly Lead[]) => {
      drawn.current = rows
      latest.current.goOn()
    },
  }
}

/** Ignores keys while the next page loads: they are not meant for a lead of this page. */
export const pauseShortcuts = (shortcuts: readonly RowShortcut<Lead>[], isPaused: () => boolean) =>
  shortcuts.map((one): RowShortcut<Lead> => ({ ...one, run: (...row) => (isPaused() ? 'stay' : one.run(...row)) }))
