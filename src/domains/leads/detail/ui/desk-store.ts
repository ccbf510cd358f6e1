import { createContext, use } from 'react'
import { createStore } from 'zustand'
import type { Lead } from '#domains/leads/contract.ts'
import type { RowMark } from '#ui/data/saved-rows.ts'
import { stopRecordings } from '#ui/layout/Player.tsx'
import { focusRow, type RowShortcut } from '#ui/table/table-keys.ts'
import type { UndoStack } from './undo-stack.ts'

/** What the desk needs of a paged list to step through it lead by lead. */
export type DeskList = {
  rows: readonly Lead[] | undefined
  marks?: ReadonlyMap<number | string, RowMark>
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

/** The parts of the pane that can be focused when it opens. */
export type PanePart = 'notes' | 'tags'

/** What is on screen. */
type ShownDesk = {
  /** Undefined on a lead's own page. */
  list?: DeskList
  /** The open lead. */
  openId: number | null
  lead: Lead | undefined
  /** Opens another lead; null closes the pane. */
  select: (id: number | null) => void
  /** The pane is beside the list, and does not cover it. */
  isBeside: boolean
  /** Shortcuts for the focused row or the open lead. */
  shortcuts: readonly RowShortcut<Lead>[]
}

type DeskState = ShownDesk & {
  /** The elements of the desk, once they are rendered: all of it, the scrolled list, the pane and its parts. */
  desk: HTMLElement | null
  scroller: HTMLElement | null
  pane: HTMLElement | null
  notes: HTMLElement | null
  tags: HTMLElement | null
  /** The part that the pane is being opened for. */
  wanted: PanePart | undefined
  /** The list's rows as they are rendered, which is later than they arrive. */
  drawn: readonly Lead[] | undefined
  turn: PageTurn | undefined
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

export type LeadDesk = ReturnType<typeof createLeadDesk>

/** Creates the state of a list of leads with the open lead beside it, or of a lead's own page, and what its keys do. */
export function createLeadDesk(undoStack: UndoStack, whenSaved: () => Promise<unknown>) {
  const { getState: get, setState: set } = createStore<DeskState>(() => ({
    openId: null,
    lead: undefined,
    select: () => undefined,
    isBeside: true,
    shortcuts: [],
    desk: null,
    scroller: null,
    pane: null,
    notes: null,
    tags: null,
    wanted: undefined,
    drawn: undefined,
    turn: undefined,
  }))
  const findPlace = (id: number | null | undefined) => get().list?.rows?.findIndex((row) => row.id === id) ?? -1

  /** Tells what was rendered, after each render. */
  function update(shown: ShownDesk) {
    const before = get().openId
    set(shown)
    goOn()
    // When the pane closes, by a key or by Back, the focus goes to the lead's row; when it opens, rows are drawn again.
    if (before !== null && shown.openId === null) focusPlace(findPlace(before))
    if (before === null && shown.openId !== null && shown.isBeside) keepPlace(findPlace(shown.openId))
  }

  function open(lead: Lead, part?: PanePart) {
    set({ wanted: part })
    if (get().openId !== lead.id) get().select(lead.id)
    else if (part) focusPart()
    else get().pane?.focus({ preventScroll: true }) // Tab would pass all rows first, and open each
  }

  /** Focuses the part that the pane was opened for, once it is rendered. */
  function focusPart() {
    const { wanted, notes, tags } = get()
    set({ wanted: undefined })
    if (wanted === 'notes' && notes instanceof HTMLButtonElement) notes.click()
    else if (wanted === 'notes') notes?.focus()
    if (wanted === 'tags') tags?.click()
  }

  function move(step: 1 | -1) {
    const { list, openId, turn } = get()
    const index = findPlace(openId)
    const to = index < 0 ? 0 : index + step
    if (turn) return
    if (list?.rows?.[to]) show(to)
    else startTurn(step, openId ?? undefined)
  }

  function show(place: number) {
    const { list, openId, select, isBeside, pane } = get()
    const next = list?.rows?.[place]
    if (!next) return
    stopRecordings()
    if (openId !== null) select(next.id)
    focusPlace(place)
    if (pane?.contains(document.activeElement) || !isBeside) pane?.focus({ preventScroll: true })
  }

  function focusPlace(place: number) {
    const { scroller } = get()
    if (scroller && place >= 0) focusRow(scroller, place)
  }

  /** Keeps the row of the opened lead in sight, and the focus on it unless the pane has it. */
  function keepPlace(place: number) {
    if (!get().pane?.contains(document.activeElement)) focusPlace(place)
  }

  function undo() {
    const id = undoStack.undo()?.leadId
    const place = findPlace(id)
    if (id === undefined || place < 0) return
    if (get().openId !== null) get().select(id)
    focusPlace(place)
  }

  /**
   * Continues past a page's last lead, or before its first one. Leads with a verdict may have left the list, and others taken their
   * places: once all edits are saved, the page is read again, and the step leads to the first lead that was not on it.
   */
  function startTurn(step: 1 | -1, from: number | undefined) {
    const { list, turn } = get()
    if (turn || !list || !hasPage(list, step)) return
    const { page, rows = [] } = list
    const passed = new Set(rows.map(({ id }) => id))
    const begun: PageTurn = { step, from, passed, page, before: page, readAt: undefined }
    set({ turn: begun })
    void whenSaved().then(() => {
      const now = get().list
      if (get().turn !== begun || !now) return
      set({ turn: { ...begun, readAt: now.readAt } })
      now.retry()
    })
  }

  function goOn() {
    const { turn, list, drawn } = get()
    if (!turn || turn.readAt === undefined || !list) return
    const { rows, page, error, fetching, readAt } = list
    if (page !== turn.page && page !== turn.before) set({ turn: undefined })
    else if (page === turn.page && !fetching && readAt !== turn.readAt) {
      if (error || !rows) set({ turn: undefined })
      else if (drawn === rows) land(turn, list, rows)
    }
  }

  function land(turn: PageTurn, list: DeskList, rows: readonly Lead[]) {
    const { step, passed, page, from } = turn
    const isPassed = ({ id }: Lead) => passed.has(id)
    const first = rows.findIndex(isPassed)
    const place = step === 1 ? rows.findLastIndex(isPassed) + 1 : (first < 0 ? rows.length : first) - 1
    const goesOn = rows[place] === undefined && hasPage(list, step)
    set({ turn: goesOn ? { ...turn, page: page + step, before: page, readAt: 0 } : undefined })
    if (goesOn) return list.setPage(page + step)
    const begun = findPlace(from)
    // Without a next lead the focus stays where it was, or as near as possible.
    show(rows[place] ? place : begun >= 0 ? begun : step === 1 ? rows.length - 1 : 0)
  }

  return {
    get,
    update,
    open,
    focusPart,
    move,
    undo,
    /** Moves past the last lead of the page, or before its first one. */
    goPast: (step: 1 | -1) => startTurn(step, get().list?.rows?.at(step === 1 ? -1 : 0)?.id),
    setDrawn: (drawn: readonly Lead[], scroller: HTMLElement) => {
      set({ drawn, scroller })
      goOn()
    },
    /** Ignores keys while the next page loads: they are not meant for a lead of this page. */
    pauseShortcuts: (shortcuts: readonly RowShortcut<Lead>[]) =>
      shortcuts.map((one): RowShortcut<Lead> => ({ ...one, run: (...row) => (get().turn ? 'stay' : one.run(...row)) })),
    /** Leads the focus from a field of the pane back to the lead's row, or to the pane where there is no row. */
    leaveField: () => {
      const { pane, openId, isBeside } = get()
      const place = findPlace(openId)
      if (isBeside && place >= 0) focusPlace(place)
      else pane?.focus({ preventScroll: true })
    },
    setDesk: (desk: HTMLElement | null) => set({ desk }),
    setPane: (pane: HTMLElement | null) => set({ pane }),
    setNotes: (notes: HTMLElement | null) => set({ notes }),
    setTags: (tags: HTMLElement | null) => set({ tags }),
  }
}

/** Returns whether there is a next or previous page. Rows that have left the list are on the page, but not in the total. */
export const hasPage = ({ page, perPage, total = 0, held }: DeskList, step: 1 | -1) =>
  step === 1 ? page * perPage < total + held : page > 1

type DeskContext = LeadDesk & Pick<ShownDesk, 'openId' | 'isBeside' | 'shortcuts'>

export const LeadDeskContext = createContext<DeskContext | null>(null)

/** Returns the list's desk; null in lists without a pane. */
export const useLeadDesk = () => use(LeadDeskContext)
