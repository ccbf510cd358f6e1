import { createStore, type StoreApi } from 'zustand'
import { type Lead, leadsContract } from '#domains/leads/contract.ts'
import { missedCallTags } from '#domains/leads/labels.ts'
import { ApiError, readConflict } from '#ui/data/api.ts'

/** What is edited in the row itself. */
export type EditableField =
  | 'notes'
  | 'tags'
  | 'confirmed'
  | 'client_progress'
  | 'company_name'
  | 'client_notes'
  | 'client_value'
  | 'client_profit'
  | 'rating'
  | 'hide'

/** Why an edit did not come to be, until the field is edited again. */
export type EditFailure = {
  reason: string
  /** Somebody else was quicker: the cell shows what they wrote. */
  isOutrun: boolean
  /** Tries the same edit once more, over whatever stands there now. */
  again: () => void
}

type EditFailures = Partial<Record<string, EditFailure>>

export type EditLead = <Field extends EditableField>(seen: Lead, field: Field, value: Lead[Field]) => void
export type LeadEditor = {
  edit: EditLead
  /** The same for what takes an edit back: it is not noted. */
  restore: EditLead
  /** Waits until every edit so far was answered. */
  whenSaved: () => Promise<unknown>
  /** By `toFieldKey`. */
  failures: StoreApi<EditFailures>
}

/** Changes a row on screen at once; what it returns puts the changed fields back. */
export type PatchLead = (id: number, fields: Partial<Lead>) => () => void

type LeadEditorOptions = {
  patch: PatchLead
  /** Writes one field as the version that the editor saw, and answers the written lead. */
  write: <Field extends EditableField>(seen: Lead, field: Field, value: Lead[Field], version: number) => Promise<Lead>
  /** Nothing is on its way any more: the list may be read again. */
  settled: () => void
  /** Notes an edit, so that it can be taken back. */
  note?: (seen: Lead, field: EditableField, value: unknown) => EditNote | undefined
}

/** What is to be told when an edit has ended. */
export type EditNote = { saved: () => void; failed: () => void }

type PendingEdit = { id: number; fields: Partial<Lead> }

/**
 * Edits in the rows of a list. One shows at once; the edits of one lead are written one after the other, each naming the
 * version that its editor saw; one that is refused goes back, and its field says so.
 */
export function createLeadEditor({ patch, write, settled, note }: LeadEditorOptions): LeadEditor {
  const turns = new Map<number, Promise<void>>()
  const unanswered = new Set<PendingEdit>()
  /** The version of one's own last write of a field: the edit before the last is no one else's. */
  const written = new Map<string, number>()
  const failures = createStore<EditFailures>(() => ({}))

  const edit: EditLead = (seen, field, value) => apply(seen, field, value, note?.(seen, field, value))
  const restore: EditLead = (seen, field, value) => apply(seen, field, value, undefined)

  function apply<Field extends EditableField>(
    seen: Lead,
    field: Field,
    value: Lead[Field],
    noted: EditNote | undefined,
  ) {
    say(seen.id, field, undefined)
    const shown: PendingEdit = { id: seen.id, fields: { [field]: value, ...deriveFields(field, value) } }
    const takeBack = patch(seen.id, shown.fields)
    unanswered.add(shown)
    const before = turns.get(seen.id) ?? Promise.resolve()
    turns.set(
      seen.id,
      before.then(() => send(seen, field, value, { shown, takeBack, noted })),
    )
  }

  async function send<Field extends EditableField>(
    seen: Lead,
    field: Field,
    value: Lead[Field],
    { shown, takeBack, noted }: { shown: PendingEdit; takeBack: () => void; noted: EditNote | undefined },
  ) {
    const { id } = seen
    try {
      const version = Math.max(seen.version, written.get(toFieldKey(id, field)) ?? 0)
      const answer = await write(seen, field, value, version)
      unanswered.delete(shown)
      written.set(toFieldKey(id, field), answer.version)
      show(answer)
      noted?.saved()
    } catch (problem) {
      console.error(`Lead ${id}: ${field} was not saved.`, problem)
      unanswered.delete(shown)
      takeBack()
      noted?.failed()
      const newer = readConflict(leadsContract.update, problem)
      show(newer ?? { id })
      const reason = getFailureReason(problem, field)
      const again = () => edit(newer ?? seen, field, value)
      say(id, field, { reason, isOutrun: newer !== undefined, again })
      // Nobody answers: asking for the list as well would only fail once more.
      if (problem instanceof ApiError && problem.status === 0) return
    }
    if (unanswered.size === 0) settled()
  }

  /** What was read of a lead, under the edits of it that are still on their way. */
  function show(read: Partial<Lead> & { id: number }) {
    const row = { ...read }
    for (const { id, fields } of unanswered) if (id === read.id) Object.assign(row, fields)
    patch(read.id, row)
  }

  function say(id: number, field: EditableField, failure: EditFailure | undefined) {
    failures.setState({ [toFieldKey(id, field)]: failure })
  }

  return { edit, restore, whenSaved: () => Promise.all(turns.values()), failures }
}

export const toFieldKey = (id: number, field: EditableField) => `${id} ${field}`

/** What the server will derive from it, so that the row looks right at once. */
function deriveFields(field: EditableField, value: unknown): Partial<Lead> {
  if (field === 'tags')
    return { missed_call: (value as Lead['tags'])?.some((tag) => missedCallTags.includes(tag.name)) ?? false }
  if (field === 'rating') return { rating_via: value === null ? null : 'staff', rating_unconfirmed: 0 }
  return {}
}

function getFailureReason(problem: unknown, field: EditableField): string {
  if (problem instanceof ApiError) return problem.errors[field]?.join(' ') || problem.message
  return problem instanceof Error ? problem.message : String(problem)
}
