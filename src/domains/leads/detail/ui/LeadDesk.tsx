import { useMediaQuery } from '@mantine/hooks'
import { type FocusEvent, type MouseEvent, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { useSavedEdits, useUndoStack } from '#domains/leads/list/ui/LeadEditing.tsx'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { omitParams, parseWholeNumber } from '#ui/table/list-address.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import { createLeadDesk, type DeskList, hasPage, LeadDeskContext } from './desk-store.ts'
import classes from './LeadDesk.module.css'
import { LeadPane } from './LeadPane.tsx'
import { prefetchLead } from './lead-detail.ts'
import { useLeadKeys } from './lead-keys.ts'
import { usePaneKeys } from './pane-keys.ts'

type LeadDeskProps = {
  me: CurrentUserDto
  title: string
  list: DeskList & { patch: PatchLead }
  /** How much of the list is decided. */
  reviewed?: string | undefined
  /** Further shortcuts for rows, such as selecting them. */
  more?: readonly RowShortcut<Lead>[]
  children: ReactNode
}

/** A list of leads with the open lead (`lead` in the URL) beside it. On narrow screens the lead covers the list. */
export function LeadDesk({ me, title, list, reviewed, more, children }: LeadDeskProps) {
  const { rows, patch } = list
  const [search, write] = useSearchParams()
  const openId = parseWholeNumber(search.lead, 999_999_999) ?? null
  // Known at the first render, so that a covering pane does not start beside the list.
  const isBeside = useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false }) ?? true
  const undo = useUndoStack()
  const whenSaved = useSavedEdits()
  const [desk] = useState(() => createLeadDesk(undo, whenSaved))
  const index = rows?.findIndex(({ id }) => id === openId) ?? -1
  const lead = rows?.[index]

  /** Replaces the history entry when moving from lead to lead, so that Back leads to the list. */
  const select = (id: number | null) =>
    write(
      (before) => ({ ...omitParams(before, ['lead']), ...(id !== null && { lead: String(id) }) }),
      id === null || openId !== null,
    )
  const keys = useLeadKeys(me, { title, view: 'list', patch, undo: desk.undo, openPane: desk.open, more })
  const shortcuts = useMemo(() => desk.pauseShortcuts(keys), [keys, desk])
  const context = useMemo(() => ({ ...desk, openId, isBeside, shortcuts }), [desk, openId, isBeside, shortcuts])
  useEffect(() => desk.update({ list, openId, lead, select, isBeside, shortcuts }))
  usePaneKeys(desk, openId !== null)

  // Prefetches the neighbors, two ahead: a verdict may take less time than a response.
  const neighbors = openId === null ? [] : [1, 2, -1].map((step) => rows?.[index + step]?.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids are all that matters.
  useEffect(() => {
    for (const id of neighbors) if (id !== undefined) prefetchLead(id)
  }, [neighbors.join()])

  return (
    <LeadDeskContext value={context}>
      <div ref={desk.setDesk} className={classes.desk} data-printed-block data-open={openId !== null || undefined}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: rows are opened by Enter as well. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: rows are opened by Enter as well. */}
        <div
          className={classes.list}
          data-printed-block
          inert={openId !== null && !isBeside}
          onClick={(event) => {
            const found = findClickedRow(event)
            const clicked = found === null ? undefined : rows?.[found]
            if (clicked) desk.open(clicked)
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
            place={[index >= 0 && `${index + 1} of ${rows!.length}`, !isBeside && reviewed].filter(Boolean).join(' · ')}
            mark={list.marks?.get(openId)}
            patch={patch}
            takesFocus={!isBeside}
            hasNext={rows?.[index + 1] !== undefined || (index >= 0 && hasPage(list, 1))}
            hasPrevious={index > 0 || (index === 0 && hasPage(list, -1))}
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
