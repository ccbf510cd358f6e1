import { useMemo } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { useOpenLeadDialog } from '#domains/leads/list/ui/LeadDialogs.tsx'
import { useEditLead } from '#domains/leads/list/ui/LeadEditing.tsx'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { buildLeadShortcuts } from '#domains/leads/list/ui/lead-shortcuts.ts'
import { useShortcuts } from '#ui/layout/shortcuts.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import type { PanePart } from './desk-store.ts'
import { useSpamActions } from './spam-actions.ts'

type LeadKeyOptions = {
  /** The heading in the list of shortcuts (`?`). */
  title: string
  view: 'list' | 'related' | 'page'
  patch: PatchLead
  /** Undoes the last action. Must be stable, like the other callbacks. */
  undo: () => void
  openPane?: (lead: Lead, part: PanePart) => void
  /** Further shortcuts for leads. */
  more?: readonly RowShortcut<Lead>[] | undefined
}

/** Returns the shortcuts for a lead, and lists them under `?`. The result is stable. */
export function useLeadKeys(me: CurrentUserDto, options: LeadKeyOptions): readonly RowShortcut<Lead>[] {
  const { title, view, patch, undo, openPane, more } = options
  const edit = useEditLead()
  const open = useOpenLeadDialog()
  const { mark } = useSpamActions(patch)
  const shortcuts = useMemo(
    () => [
      ...buildLeadShortcuts(me, { view, edit, open, undo, spam: mark, ...(openPane && { openPane }) }),
      ...(more ?? []),
    ],
    [me, view, edit, open, undo, mark, openPane, more],
  )
  useShortcuts(useMemo(() => ({ title, shortcuts }), [title, shortcuts]))
  return shortcuts
}
