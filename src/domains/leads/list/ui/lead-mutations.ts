import { z } from 'zod'
import { type Lead, lead as leadSchema } from '#domains/leads/contract.ts'
import { missedCallTags } from '#domains/leads/labels.ts'
import { ApiError } from '#ui/data/api.ts'

/** What is edited in the row itself. */
export type RowField =
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
export type Refusal = {
  reason: string
  /** Somebody else was quicker: the cell shows what they wrote. */
  isOutrun: boolean
  /** Tries the same edit once more, over whatever stands there now. */
  again: () => void
}

export type Edit = <Field extends RowField>(seen: Lead, field: Field, value: Lead[Field]) => void
export type Editing = {
  edit: Edit
  refusalOf: (id: number, field: RowField) => Refusal | undefined
  /** Calls back whenever a refusal comes or goes. Answers how to stop. */
  listen: (tell: () => void) => () => void
}

/** Changes a row on screen at once; what it returns puts the changed fields back. */
export type Patch = (id: number, fields: Partial<Lead>) => () => void

type Means = {
  patch: Patch
  /** Writes one field as the version that the editor saw, and answers the written lead. */
  write: <Field extends RowField>(id: number, field: Field, value: Lead[Field], version: number) => Promise<Lead>
  /** Nothing is on its way any more: the list may be read again. */
  settled: () => void
}

type Shown = { id: number; fields: Partial<Lead> }

/**
 * Edits in the rows of a list. One shows at once; the edits of one lead are written one after the other, each naming the
 * version that its editor saw; one that is refused goes back, and its field says so.
 */
export function leadEditing({ patch, write, settled }: Means): Editing {
  const turns = new Map<number, Promise<void>>()
  const unanswered = new Set<Shown>()
  /** The version of one's own last write of a field: the edit before the last is no one else's. */
  const written = new Map<string, number>()
  const refusals = new Map<string, Refusal>()
  const listeners = new Set<() => void>()

  const edit: Edit = (seen, field, value) => {
    say(seen.id, field, undefined)
    const shown: Shown = { id: seen.id, fields: { [field]: value, ...implied(field, value) } }
    const takeBack = patch(seen.id, shown.fields)
    unanswered.add(shown)
    const before = turns.get(seen.id) ?? Promise.resolve()
    turns.set(
      seen.id,
      before.then(() => send(seen, field, value, shown, takeBack)),
    )
  }

  async function send<Field extends RowField>(
    seen: Lead,
    field: Field,
    value: Lead[Field],
    shown: Shown,
    takeBack: () => void,
  ) {
    const { id } = seen
    try {
      const version = Math.max(seen.version, written.get(key(id, field)) ?? 0)
      const answer = await write(id, field, value, version)
      unanswered.delete(shown)
      written.set(key(id, field), answer.version)
      show(answer)
    } catch (problem) {
      console.error(`Lead ${id}: ${field} was not saved.`, problem)
      unanswered.delete(shown)
      takeBack()
      const newer = newerLead(problem)
      show(newer ?? { id })
      const reason = reasonOf(problem, field)
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

  function say(id: number, field: RowField, refusal: Refusal | undefined) {
    const had = refusals.delete(key(id, field))
    if (refusal) refusals.set(key(id, field), refusal)
    if (had || refusal) for (const tell of listeners) tell()
  }

  return {
    edit,
    refusalOf: (id, field) => refusals.get(key(id, field)),
    listen: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
  }
}

const key = (id: number, field: RowField) => `${id} ${field}`

/** What the server will derive from it, so that the row looks right at once. */
function implied(field: RowField, value: unknown): Partial<Lead> {
  if (field === 'tags')
    return { missed_call: (value as Lead['tags'])?.some((tag) => missedCallTags.includes(tag.name)) ?? false }
  if (field === 'rating') return { rating_via: value === null ? null : 'staff' }
  return {}
}

const conflict = z.object({ lead: leadSchema })

/** A 409 brings the lead as it is now. */
export function newerLead(problem: unknown): Lead | undefined {
  return problem instanceof ApiError ? conflict.safeParse(problem.body).data?.lead : undefined
}

function reasonOf(problem: unknown, field: RowField): string {
  if (problem instanceof ApiError) return problem.errors[field]?.join(' ') || problem.message
  return problem instanceof Error ? problem.message : String(problem)
}
