import type { Person } from '#contract/allow.ts'
import { type Lead, writableFields } from '#domains/leads/contract.ts'
import { editLead } from '#domains/leads/form/contract.ts'
import { history } from '#domains/leads/history/contract.ts'
import { progress } from '#domains/leads/labels.ts'
import { recordings } from '#domains/leads/recordings/contract.ts'
import { related } from '#domains/leads/related/contract.ts'
import { playInside } from '#ui/layout/Player.tsx'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import type { Edit } from './lead-mutations.ts'

type Means = {
  /** Related views open no further ones. */
  view: 'list' | 'related'
  edit: Edit
  open: (dialog: 'edit' | 'history' | 'related', lead: Lead) => void
}
type Key = RowShortcut<Lead>

/** One key for each thing that is done with lead after lead. What a person may not do has no key. */
export function leadShortcuts(me: Person, { view, edit, open }: Means): Key[] {
  const writable = writableFields(me)
  const stay = (act: (lead: Lead, row: HTMLElement) => void): Key['run'] => {
    return (lead, row) => {
      act(lead, row)
      return 'stay'
    }
  }
  const verify: Key['run'] = (lead) => {
    edit(lead, 'confirmed', lead.confirmed === 1 ? 0 : 1)
    return lead.confirmed === 1 ? 'stay' : 'next'
  }
  const steps = Object.entries(progress).map(([key, label]): Key => {
    const step = Number(key)
    const set = (lead: Lead) => edit(lead, 'client_progress', lead.client_progress === step ? null : step)
    return { key, label: `Progress: ${label}; again to clear it`, run: stay(set) }
  })
  const keys: [boolean, ...Key[]][] = [
    [writable.has('confirmed'), { key: 'v', label: 'Verify and go on, or take it back', run: verify }],
    [writable.has('client_progress'), ...steps],
    [
      recordings.get.allow(me),
      { key: 'p', label: 'Play or pause the recording', run: stay((_, row) => playInside(row)) },
    ],
    [history.read.allow(me), { key: 'h', label: 'History', run: stay((lead) => open('history', lead)) }],
    [
      view !== 'related' && related.ofLead.allow(me),
      { key: 'r', label: 'Related Leads', run: stay((lead) => lead.has_related && open('related', lead)) },
    ],
    [editLead.allow(me), { key: 'e', label: 'Edit Lead', run: stay((lead) => open('edit', lead)) }],
  ]
  return keys.flatMap(([isAllowed, ...own]) => (isAllowed ? own : []))
}
