import { campaigns } from '#domains/campaigns/contract.ts'
import { campaignNotes } from '#domains/campaigns/notes/contract.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { textarea } from '#ui/form/fields.tsx'
import type { ChangelogLine } from '../contract.ts'
import { changelog } from '../contract.ts'

const fields = { note: textarea('Note', { rows: 6 }) }

/** What is worth knowing about a campaign, on any day. */
export function NoteDialog({ line, onClose }: { line: ChangelogLine; onClose: () => void }) {
  return (
    <FormDialog
      title={`${line.note === '' ? 'Add Note' : 'Edit Note'}: ${line.name}`}
      call={campaignNotes.update}
      params={{ id: line.id }}
      start={{ note: line.note }}
      fields={fields}
      refreshes={[changelog.grid, campaigns.all]}
      opened
      onClose={onClose}
    />
  )
}
