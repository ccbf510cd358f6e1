import type { AccessSubject } from '#contract/allow.ts'
import { getWritableFields, type Lead } from '#domains/leads/contract.ts'
import type { PanePart } from '#domains/leads/detail/ui/desk-store.ts'
import { editLeadEndpoint } from '#domains/leads/form/contract.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { hasSpamTag, progressLabels } from '#domains/leads/labels.ts'
import { getLeadName } from '#domains/leads/lead-name.ts'
import { recordingsContract } from '#domains/leads/recordings/contract.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { leadSpamContract } from '#domains/leads/spam/contract.ts'
import { pressOpener } from '#ui/cells/CellPopover.tsx'
import { toastLastAct } from '#ui/feedback/toast.tsx'
import { stopRecordings, toggleRecording } from '#ui/layout/Player.tsx'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import type { EditLead } from './lead-mutations.ts'

type LeadShortcutOptions = {
  /** Related views open no further related views; a page has no other leads. */
  view: 'list' | 'related' | 'page'
  edit: EditLead
  open: (dialog: 'edit' | 'history' | 'related', lead: Lead) => void
  undo: () => void
  spam: (lead: Lead) => unknown
  /** Opens a lead's pane, if the list has one. */
  openPane?: (lead: Lead, part: PanePart) => void
}
type LeadShortcut = RowShortcut<Lead>

/** Returns one key per frequent action. Actions that a person may not do have no key. */
export function buildLeadShortcuts(
  me: AccessSubject,
  { view, edit, open, undo, spam, openPane }: LeadShortcutOptions,
): LeadShortcut[] {
  const writable = getWritableFields(me)
  const stay = (act: (lead: Lead, row: HTMLElement) => void): LeadShortcut['run'] => {
    return (lead, row) => {
      act(lead, row)
      return 'stay'
    }
  }
  // The keys of verdicts never take one back: pressed down a list that others review too, they would.
  const verify: LeadShortcut['run'] = (lead) => {
    if (lead.confirmed === 1) explain('Already verified', lead)
    else edit(lead, 'confirmed', 1)
    return goOn()
  }
  const markSpam: LeadShortcut['run'] = (lead) => {
    if (hasSpamTag(lead)) explain('Already spam', lead)
    else void spam(lead)
    return goOn()
  }
  const editTags = (lead: Lead, element: HTMLElement) => {
    if (!pressOpener('t', element)) openPane?.(lead, 'tags')
  }
  const openRelated = (lead: Lead) => {
    if (lead.has_related) open('related', lead)
    else explain('No related leads', lead)
  }
  const playRecording = (lead: Lead, row: HTMLElement) => {
    if (lead.recording) toggleRecording(row)
    else explain('No recording', lead)
  }
  const steps = Object.entries(progressLabels).map(([key, label]): LeadShortcut => {
    const step = Number(key)
    const set = (lead: Lead) => edit(lead, 'client_progress', lead.client_progress === step ? null : step)
    return { key, label: `Progress: ${label}; again to clear it`, run: stay(set) }
  })
  const hasVerdicts = writable.has('confirmed') || writable.has('tags')
  const keys: [boolean, ...LeadShortcut[]][] = [
    [
      view !== 'page',
      { key: 'j', label: 'Next lead', run: () => 'next' },
      { key: 'k', label: 'Previous lead', run: () => 'previous' },
    ],
    [writable.has('confirmed'), { key: 'v', label: 'Verify, next', run: verify }],
    [leadSpamContract.mark.allow(me), { key: 's', label: 'Mark spam, next', run: markSpam }],
    [writable.has('tags'), { key: 't', label: 'Tags: type to find one', run: stay(editTags) }],
    [
      writable.has('notes') && openPane !== undefined,
      { key: 'n', label: 'Note', run: stay((lead) => openPane?.(lead, 'notes')) },
    ],
    [writable.has('client_progress'), ...steps],
    [recordingsContract.get.allow(me), { key: 'p', label: 'Play or pause the recording', run: stay(playRecording) }],
    [leadHistoryContract.read.allow(me), { key: 'h', label: 'History', run: stay((lead) => open('history', lead)) }],
    [
      view !== 'related' && relatedLeadsContract.ofLead.allow(me),
      { key: 'r', label: 'Related Leads', run: stay(openRelated) },
    ],
    [hasVerdicts, { key: 'u', label: 'Undo the last verdict, tag or spam', run: stay(undo), runWithoutRow: undo }],
    [editLeadEndpoint.allow(me), { key: 'e', label: 'Edit Lead', run: stay((lead) => open('edit', lead)) }],
  ]
  return keys.flatMap(([isAllowed, ...own]) => (isAllowed ? own : []))
}

/** A verdict stops the lead's recording. */
function goOn(): 'next' {
  stopRecordings()
  return 'next'
}

/** Tells why a key changes nothing. */
const explain = (why: string, lead: Lead) => toastLastAct(`${why}: ${getLeadName(lead)}`)
