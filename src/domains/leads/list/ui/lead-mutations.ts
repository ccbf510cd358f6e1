import { createStore, type StoreApi } from 'zustand'
import { getErrorMessage } from '#contract/error-message.ts'
import { type Lead, leadsContract } from '#domains/leads/contract.ts'
import { missedCallTags } from '#domains/leads/labels.ts'
import { ApiError, readConflict } from '#ui/data/api.ts'

/** The fields that are edited in the row. */
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

/** Why an edit failed, until the field is edited again. */
export type EditFailure = {
  reason: string
  /** Someone else was quicker: the cell shows their value. */
  isOutrun: boolean
  /** What was entered. */
  value: unknown
  /** Repeats the edit over the current value. */
  again: () => void
  /** Gives the edit up. */
  drop: () => void
}

type EditFailures = Partial<Record<string, EditFailure>>

export type EditLead = <Field extends EditableField>(seen: Lead, field: Field, value: Lead[Field]) => void
export type LeadEditor = {
  edit: EditLead
  /** Does the same for an undo, without a note. */
  restore: EditLead
  /** Waits until all edits so far are saved or refused. */
  whenSaved: () => Promise<unknown>
  /** By `toFieldKey`. */
  failures: StoreApi<EditFailures>
  /** Says that a field on screen shows its failures, until the returned function is called. */
  watch: (id: number, field: EditableField) => () => void
}

/** A lead on screen. `live` has the versions of the fields that the stream has told: a row that missed another change is older than they are. */
export type ShownLead = Lead & { live?: Partial<Record<string, number>> }

/** Changes a row on screen at once. Returns a function that restores the changed fields. */
export type PatchLead = (id: number, fields: Partial<ShownLead>) => () => void

type LeadEditorOptions = {
  patch: PatchLead
  /** Writes one field with the version that the editor saw, and returns the written lead. */
  write: <Field extends EditableField>(seen: Lead, field: Field, value: Lead[Field], version: number) => Promise<Lead>
  /** Called when no edit is pending, and none came for a moment: the list may be read again. */
  settled: () => void
  /** Says why an edit was refused whose field is not on screen: another page is open by then, or the next lead. */
  tell?: (seen: Lead, reason: string) => void
  /** Records an edit, so that it can be undone. */
  note?: (seen: Lead, field: EditableField, value: unknown) => EditNote | undefined
}

/** Callbacks for the outcome of an edit. */
export type EditNote = { saved: () => void; failed: () => void }

/** In milliseconds. Without it, a person who judges lead after lead would wait for a read of the list after each. */
const settlingTime = 400

type PendingEdit = { id: number; field: EditableField; fields: Partial<Lead>; takeBack: () => void }

/**
 * Creates the editor of a list's rows. Edits are shown at once. The edits of one lead are written one after the other, each with
 * the version that its editor saw; a refused edit is reverted, and its field says so.
 */
export function createLeadEditor({ patch, write, settled, tell, note }: LeadEditorOptions): LeadEditor {
  const turns = new Map<number, Promise<void>>()
  const unanswered = new Set<PendingEdit>()
  /** The version of the last own write per field, so that a person's own quick edits do not conflict with each other. */
  const written = new Map<string, number>()
  const failures = createStore<EditFailures>(() => ({}))
  /** How many fields on screen show failures, by `toFieldKey`: a row and the open lead may have the same one. */
  const watchers = new Map<string, number>()
  let settling: ReturnType<typeof setTimeout> | undefined

  const edit: EditLead = (seen, field, value) => apply(seen, field, value, note?.(seen, field, value))
  const restore: EditLead = (seen, field, value) => apply(seen, field, value, undefined)

  function apply<Field extends EditableField>(
    seen: Lead,
    field: Field,
    value: Lead[Field],
    noted: EditNote | undefined,
  ) {
    say(seen.id, field, undefined)
    const fields: Partial<Lead> = { [field]: value, ...deriveFields(field, value) }
    const shown: PendingEdit = { id: seen.id, field, fields, takeBack: patch(seen.id, fields) }
    unanswered.add(shown)
    const before = turns.get(seen.id) ?? Promise.resolve()
    turns.set(
      seen.id,
      before.then(() => send(seen, field, value, { shown, noted })),
    )
  }

  async function send<Field extends EditableField>(
    seen: ShownLead,
    field: Field,
    value: Lead[Field],
    { shown, noted }: { shown: PendingEdit; noted: EditNote | undefined },
  ) {
    const { id } = seen
    try {
      const version = Math.max(seen.version, seen.live?.[field] ?? 0, written.get(toFieldKey(id, field)) ?? 0)
      const answer = await write(seen, field, value, version)
      unanswered.delete(shown)
      written.set(toFieldKey(id, field), answer.version)
      show(answer)
      noted?.saved()
    } catch (problem) {
      console.error(`Lead ${id}: ${field} was not saved.`, problem)
      unanswered.delete(shown)
      shown.takeBack()
      // A later edit of the field was made over the refused value: if it fails, too, the field must not show that again.
      for (const later of unanswered) if (later.id === id && later.field === field) later.takeBack = shown.takeBack
      noted?.failed()
      const newer = readConflict(leadsContract.update, problem)
      show(newer ?? { id })
      const reason = getFailureReason(problem, field)
      const again = () => edit(newer ?? seen, field, value)
      const drop = () => say(id, field, undefined)
      say(id, field, { reason, isOutrun: newer !== undefined, value, again, drop })
      if (!watchers.get(toFieldKey(id, field))) tell?.(seen, reason)
      // The server is unreachable: reading the list would fail as well.
      if (problem instanceof ApiError && problem.status === 0) return
    }
    clearTimeout(settling)
    settling = setTimeout(() => unanswered.size === 0 && settled(), settlingTime)
  }

  /** Shows a lead as read from the server, with its pending edits on top. */
  function show(read: Partial<Lead> & { id: number }) {
    const row = { ...read }
    for (const { id, fields } of unanswered) if (id === read.id) Object.assign(row, fields)
    patch(read.id, row)
  }

  function say(id: number, field: EditableField, failure: EditFailure | undefined) {
    failures.setState({ [toFieldKey(id, field)]: failure })
  }

  function watch(id: number, field: EditableField) {
    const key = toFieldKey(id, field)
    const count = (by: number) => void watchers.set(key, (watchers.get(key) ?? 0) + by)
    count(1)
    return () => count(-1)
  }

  return { edit, restore, whenSaved: () => Promise.all(turns.values()), failures, watch }
}

export const toFieldKey = (id: number, field: EditableField) => `${id} ${field}`

/** Returns the fields that the server will derive, so that the row is right at once. */
export function deriveFields(field: EditableField, value: unknown): Partial<Lead> {
  if (field === 'tags')
    return { missed_call: (value as Lead['tags'])?.some((tag) => missedCallTags.includes(tag.name)) ?? false }
  if (field === 'rating') return { rating_via: value === null ? null : 'staff', rating_unconfirmed: 0 }
  return {}
}

function getFailureReason(problem: unknown, field: EditableField): string {
  if (problem instanceof ApiError) return problem.errors[field]?.join(' ') || problem.message
  return getErrorMessage(problem)
}
