import { campaignNotesContract } from '#domains/campaigns/notes/contract.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { ChangelogLine } from '../contract.ts'

/** Edits the note of a campaign as a whole, not of a day. */
export function CampaignNoteDialog({ line, onClose }: { line: ChangelogLine; onClose: () => void }) {
  return (
    <FormDialog
      title={`${line.note === '' ? 'Add Note' : 'Edit Note'}: ${line.name}`}
      call={campaignNotesContract.update}
      params={{ id: line.id }}
      start={{ note: line.note, seen: line.note }}
      fields={({ textareaControl }) => ({
        note: textareaControl('Note', { rows: 6 }),
        seen: () => null, // sent as read, so that a newer note is not overwritten
      })}
      conflict={{ read: ({ note }) => ({ note, seen: note }), shown: (_, value) => (value ? String(value) : null) }}
      opened
      onClose={onClose}
    />
  )
}
