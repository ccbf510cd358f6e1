import { useMediaQuery } from '@mantine/hooks'
import { type FocusEvent, type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { useSavedEdits, useUndoStack } from '#domains/leads/list/ui/LeadEditing.tsx'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { openTags } from '#domains/leads/list/ui/lead-shortcuts.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { stopRecordings } from '#ui/layout/Player.tsx'
import { omitParams, parseWholeNumber } from '#ui/table/list-address.ts'
import { focusRow, type RowShortcut } from '#ui/table/table-keys.ts'
import { LeadDeskContext, type PanePart } from './desk-context.ts'
import classes from './LeadDesk.module.css'
import { LeadPane } from './LeadPane.tsx'
import { prefetchLead } from './lead-detail.ts'
import { useLeadKeys } from './lead-keys.ts'
import { hasPage, type LeadPages, pauseShortcuts, usePageTurns } from './page-turns.ts'
import { usePaneKeys } from './pane-keys.ts'

/** What the desk needs of a list to step through it lead by lead. */
type DeskList = LeadPages & { patch: PatchLead }

type LeadDeskProps = {
  me: CurrentUserDto
  title: string
  list: DeskList
  /** Further shortcuts for rows, such as selecting them. */
  more?: readonly RowShortcut<Lead>[]
  children: ReactNode
}

/** A list of leads with the open lead (`lead` in the URL) beside it. On narrow screens the lead covers the list. */
export function LeadDesk({ me, title, list, more, children }: LeadDeskProps) {
  const { rows, patch } = list
  const [search, write] = useSearchParams()
  const openId = parseWholeNumber(search.lead, 999_999_999) ?? null
  // Known at the first render, so that a covering pane does not start beside the list.
  const isBeside = useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false }) ?? true
  const desk = useRef<HTMLDivElement>(null)
  const wanted = useRef<PanePart>(undefined)
  const undo = useUndoStack()

  const index = rows?.findIndex(({ id }) => id === openId) ?? -1
  const scroller = () => desk.current?.querySelector<HTMLElement>('section') ?? null
  const pane = () => desk.current?.querySelector<HTMLElement>('aside') ?? null

  /** Replaces the history entry when moving from lead to lead, so that Back leads to the list. */
  const select = (id: number | null) =>
    write(
      (before) => ({ ...omitParams(before, ['lead']), ...(id !== null && { lead: String(id) }) }),
      id === null || openId !== null,
    )
  function move(step: 1 | -1) {
    const to = index < 0 ? 0 : index + step
    if (turns.isOn()) return
    if (rows?.[to]) show(to)
    else turns.start(step, openId ?? undefined)
  }
  function show(place: number) {
    const next = rows?.[place]
    if (!next) return
    stopRecordings()
    if (openId !== null) select(next.id)
    const [list, open] = [scroller(), pane()]
    if (list) focusRow(list, place)
    if (open?.contains(document.activeElement) || !isBeside) open?.focus({ preventScroll: true })
  }

  const turns = usePageTurns(list, useSavedEdits(), show)
  const acts = useRef({ select, turns, rows, openId })
  useEffect(() => {
    acts.current = { select, turns, rows, openId }
  })
  const [means] = useState(() => ({
    open: (lead: Lead, part?: PanePart) => {
      wanted.current = part
      if (acts.current.openId === lead.id) runPart(pane(), wanted)
      else acts.current.select(lead.id)
    },
    goPast: (step: 1 | -1) => acts.current.turns.start(step, acts.current.rows?.at(step === 1 ? -1 : 0)?.id),
    setDrawn: (drawn: readonly Lead[]) => acts.current.turns.setDrawn(drawn),
    isTurning: () => acts.current.turns.isOn(),
    undo: () => {
      const at = undo.undo()?.leadId
      const place = acts.current.rows?.findIndex(({ id }) => id === at) ?? -1
      if (at === undefined || place < 0) return
      if (acts.current.openId !== null) acts.current.select(at)
      const list = scroller()
      if (list) focusRow(list, place)
    },
  }))
  const keys = useLeadKeys(me, { title, view: 'list', patch, undo: means.undo, openPane: means.open, more })
  const shortcuts = useMemo(() => pauseShortcuts(keys, means.isTurning), [keys, means])
  const context = useMemo(
    () => ({ openId, open: means.open, goPast: means.goPast, setDrawn: means.setDrawn, shortcuts }),
    [openId, means, shortcuts],
  )

  // Prefetches the neighbors, two ahead: a verdict may take less time than a response.
  const neighbors = openId === null ? [] : [1, 2, -1].map((step) => rows?.[index + step]?.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids are all that matters.
  useEffect(() => {
    for (const id of neighbors) if (id !== undefined) prefetchLead(id)
  }, [neighbors.join()])

  // When the pane closes, by a key or by Back, the focus goes to the lead's row.
  const wasOpen = useRef<number | null>(null)
  useEffect(() => {
    const before = wasOpen.current
    wasOpen.current = openId
    if (before === null || openId !== null) return
    const place = acts.current.rows?.findIndex(({ id }) => id === before) ?? -1
    const list = desk.current?.querySelector<HTMLElement>('section')
    if (list && place >= 0) focusRow(list, place)
  }, [openId])

  const lead = rows?.[index]
  usePaneKeys(desk, {
    isOpen: openId !== null,
    lead,
    shortcuts,
    move,
    close: () => select(null),
  })

  return (
    <LeadDeskContext value={context}>
      <div ref={desk} className={classes.desk} data-open={openId !== null || undefined}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: rows are opened by Enter as well. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: rows are opened by Enter as well. */}
        <div
          className={classes.list}
          inert={openId !== null && !isBeside}
          onClick={(event) => {
            const found = findClickedRow(event)
            const clicked = found === null ? undefined : rows?.[found]
            if (clicked) means.open(clicked)
          }}
          onFocus={(event) => {
            if (openId === null || !isBeside) return
            const focused = rows?.[findRowIndex(event) ?? -1]
            if (focused && focused.id !== openId) select(focused.id)
          }}
        >
          {children}
        </div>
        {openId !== null && (
          <LeadPane
            me={me}
            id={openId}
            row={lead}
            place={index >= 0 ? `${index + 1} of ${rows!.length}` : undefined}
            patch={patch}
            takesFocus={!isBeside}
            move={(step) => move(step)}
            hasNext={rows?.[index + 1] !== undefined || (index >= 0 && hasPage(list, 1))}
            hasPrevious={index > 0 || (index === 0 && hasPage(list, -1))}
            onShown={() => runPart(pane(), wanted)}
            onClose={() => select(null)}
          />
        )}
      </div>
    </LeadDeskContext>
  )
}

function findRowIndex({ target }: { target: EventTarget }): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset.index) : null
}

const ownClickSelector = 'a, button, input, textarea, select, label, audio, summary, [popover], [role=dialog]'

/** Returns the index of the clicked row; null if the click hit a control or selected text. */
function findClickedRow(event: MouseEvent | FocusEvent): number | null {
  const { target } = event
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(ownClickSelector)) return null
  if (getSelection()?.type === 'Range') return null
  return findRowIndex(event)
}

/** Focuses the part that the pane was opened for, once it is rendered. */
function runPart(pane: HTMLElement | null, wanted: { current: PanePart | undefined }) {
  const part = wanted.current
  if (!pane || !part) return
  wanted.current = undefined
  if (part === 'notes') pane.querySelector<HTMLElement>('textarea[aria-label=Notes]')?.focus()
  else openTags(pane)
}
