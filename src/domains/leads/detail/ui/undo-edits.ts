import type { Lead } from '#domains/leads/contract.ts'
import { getLeadName } from '#domains/leads/lead-name.ts'
import type { EditableField, EditLead, EditNote } from '#domains/leads/list/ui/lead-mutations.ts'
import type { UndoStack, UndoStep } from './undo-stack.ts'

/** Verdicts and tags can be undone; text fields have their own undo. */
export function noteEdit(
  stack: UndoStack,
  seen: Lead,
  field: EditableField,
  value: unknown,
  restore: EditLead,
): EditNote | undefined {
  if (field !== 'confirmed' && field !== 'tags') return undefined
  // The lead as it is by then: undoing the tag Spam checks whether the lead has it.
  const changed: Lead = { ...seen, [field]: value }
  const step: UndoStep = {
    message: `${describeEdit(seen, changed)}: ${getLeadName(seen)}`,
    undo: () => restore(changed, field, seen[field]),
    leadId: seen.id,
  }
  const forget = stack.push(step)
  return { saved: () => stack.say(step), failed: forget }
}

function describeEdit(before: Lead, after: Lead): string {
  if (before.confirmed !== after.confirmed) return after.confirmed === 1 ? 'Verified' : 'No longer verified'
  const [had, has] = [before, after].map(({ tags = [] }) => new Set(tags.map(({ name }) => name)))
  const added = [...has!].filter((name) => !had!.has(name))
  const removed = [...had!].filter((name) => !has!.has(name))
  if (added.includes('Spam')) return 'Marked as spam'
  if (removed.includes('Spam')) return 'No longer spam'
  return added.length > 0 ? `Tagged ${added.join(', ')}` : `${removed.join(', ')} removed`
}
