import { useEffect, useRef } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'

/** A list that is read page by page. */
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

/** A step past a page's last lead, or before its first one, until the lead that it leads to has the focus. */
type PageTurn = {
  step: 1 | -1
  /** The lead that it started from. */
  from: number | undefined
  /** The leads that stood on the page. */
  passed: ReadonlySet<number>
  /** The page that is awaited, and the one that the list may show until then. */
  page: number
  before: number
  /** A page that was read then is not the awaited one. Unknown while edits are being saved. */
  readAt: number | undefined
}

/** Returns whether the list goes on past its page. Rows that have left the list are on the page, but not in the total. */
export const hasPage = ({ page, perPage, total = 0, held }: LeadPages, step: 1 | -1) =>
  step === 1 ? page * perPage < total + held : page > 1

/**
 * Past a page's last lead the list goes on, and before its first one. Leads that were judged may have left the list, and others stand
 * in their places: the page is read once more, when all is saved, and the list goes on where leads begin that were not on it.
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
    // Nothing follows: it stays where it was, or as near to that as there is something.
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
    /** Other rows are drawn: later than they are there. */
    setDrawn: (rows: readonly Lead[]) => {
      drawn.current = rows
      latest.current.goOn()
    },
  }
}

/** A key that is pressed on the way to the next page means no lead of this one. */
export const pauseShortcuts = (shortcuts: readonly RowShortcut<Lead>[], isPaused: () => boolean) =>
  shortcuts.map((one): RowShortcut<Lead> => ({ ...one, run: (...row) => (isPaused() ? 'stay' : one.run(...row)) }))
