import type { AccessSubject } from '#contract/allow.ts'
import { getWritableFields, type Lead } from '#domains/leads/contract.ts'
import { editLeadEndpoint } from '#domains/leads/form/contract.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { progressLabels } from '#domains/leads/labels.ts'
import { recordingsContract } from '#domains/leads/recordings/contract.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { toggleRecording } from '#ui/layout/Player.tsx'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import type { EditLead } from './lead-mutations.ts'

type LeadShortcutOptions = {
  /** Related views open no further ones. */
  view: 'list' | 'related'
  edit: EditLead
  open: (dialog: 'edit' | 'history' | 'related', lead: Lead) => void
}
type LeadShortcut = RowShortcut<Lead>

/** One key for each thing that is done with lead after lead. What a person may not do has no key. */
export function buildLeadShortcuts(me: AccessSubject, { view, edit, open }: LeadShortcutOptions): LeadShortcut[] {
  const writable = getWritableFields(me)
  const stay = (act: (lead: Lead, row: HTMLElement) => void): LeadShortcut['run'] => {
    return (lead, row) => {
      act(lead, row)
      return 'stay'
    }
  }
  const verify: LeadShortcut['run'] = (lead) => {
    edit(lead, 'confirmed', lead.confirmed === 1 ? 0 : 1)
    return lead.confirmed === 1 ? 'stay' : 'next'
  }
  const steps = Object.entries(progressLabels).map(([key, label]): LeadShortcut => {
    const step = Number(key)
    const set = (lead: Lead) => edit(lead, 'client_progress', lead.client_progress === step ? null : step)
    return { key, label: `Progress: ${label}; again to clear it`, run: stay(set) }
  })
  const keys: [boolean, ...LeadShortcut[]][] = [
    [writable.has('confirmed'), { key: 'v', label: 'Verify and go on, or take it back', run: verify }],
    [writable.has('client_progress'), ...steps],
    [
      recordingsContract.get.allow(me),
      { key: 'p', label: 'Play or pause the recording', run: stay((_, row) => toggleRecording(row)) },
    ],
    [leadHistoryContract.read.allow(me), { key: 'h', label: 'History', run: stay((lead) => open('history', lead)) }],
    [
      view !== 'related' && relatedLeadsContract.ofLead.allow(me),
      { key: 'r', label: 'Related Leads', run: stay((lead) => lead.has_related && open('related', lead)) },
    ],
    [editLeadEndpoint.allow(me), { key: 'e', label: 'Edit Lead', run: stay((lead) => open('edit', lead)) }],
  ]
  return keys.flatMap(([isAllowed, ...own]) => (isAllowed ? own : []))
}
