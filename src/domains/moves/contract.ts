import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { exactText, idField, queryOneOf } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'
import { pagedQuery } from '#contract/paged.ts'
import { historyStates } from '#domains/leads/labels.ts'
import { itemOutcomes, linkLevels, listedKinds, movedKinds, moveStates } from './labels.ts'

const countField = z.int().min(0)
const keptSchema = z.object({
  kind: z.enum(movedKinds),
  /** Here; null if it was not written. */
  id: z.int().nullable(),
  label: z.string(),
  reason: z.string(),
})

const moveSchema = z.object({
  id: idField,
  state: z.enum(moveStates),
  /** Why it has failed, or what it waits for. */
  says: z.string().nullable(),
  connections: z.array(z.object({ id: idField, name: z.string() })),
  progress: z.object({ done: countField, of: countField.nullable() }),
  kinds: z.array(
    z.object({
      kind: z.enum(movedKinds),
      found: countField,
      new: countField,
      same: countField,
      ask: countField,
      /** What the old system does not give. */
      lacks: z.array(z.string()),
    }),
  ),
  /** How many things are still to be chosen. */
  questions: countField,
  /** What was not written or not taken back; the first 500. */
  kept: z.array(keptSchema),
  /** What CallRail's accounts had before they were connected, read in the background once the move is done; null if there is none. */
  history: z
    .object({
      state: z.enum(historyStates),
      /** Why it waits, in a sentence. */
      says: z.string().nullable(),
      read: countField,
      of: countField.nullable(),
      /** Everything later has been read. */
      until: instantField,
    })
    .nullable(),
  /** How many accounts came along and were not invited. */
  uninvited: countField,
  created_at: instantField,
  accepted_at: instantField.nullable(),
  done_at: instantField.nullable(),
  undone_at: instantField.nullable(),
})
export type Move = z.infer<typeof moveSchema>

/** A row here, or the key of an item that another system of the same plan brings. */
const targetField = z.union([idField, z.string()])
const optionSchema = z.object({ id: targetField, label: z.string(), reason: z.string() })
export type MoveOption = z.infer<typeof optionSchema>

const moveItemSchema = z.object({
  key: z.string(),
  kind: z.enum(listedKinds),
  from: z.object({ connection_id: idField, id: z.string(), label: z.string() }),
  becomes: z.enum(itemOutcomes),
  to: z.object({ kind: z.enum(movedKinds), id: targetField, label: z.string() }).nullable(),
  by: z.enum(linkLevels).nullable(),
  reason: z.string(),
  options: z.array(optionSchema),
  /** What a person has chosen: the id of an option, `new` or `skip`. */
  choice: targetField.nullable(),
})
export type MoveItem = z.infer<typeof moveItemSchema>

const differenceSchema = z.object({
  kind: z.enum(movedKinds),
  /** `2026-10`; null for what has no month. */
  month: z.string().nullable(),
  theirs: countField,
  ours: countField,
  /** Why they differ, if that is known. */
  explained: z.string().nullable(),
  /** The page of the rows here. */
  rows: z.string().nullable(),
})
export type MoveDifference = z.infer<typeof differenceSchema>

const choiceField = z.union([idField, exactText(400)])
const nothingToMove = 'Please choose at least one connection'

export const movesContract = {
  list: endpoint('GET /moves', {
    allow: superAdminOnly,
    reads: ['move'],
    row: 'move',
    description: 'Moves from other systems, newest first.',
    // Drawn as a page of its own, so it has no columns that a person sorts (docs/decisions/025-lists-described-once.md).
    ...pagedQuery({ row: moveSchema, sort: 'created_at', order: 'desc', perPage: 50, filters: {} }),
  }),
  start: endpoint('POST /moves', {
    allow: superAdminOnly,
    changes: ['move'],
    row: 'move',
    description: 'Reads what these connections have and makes a plan, in a job. Nothing else is written.',
    body: z.strictObject({ connections: z.array(idField, nothingToMove).min(1, nothingToMove).max(100) }),
    response: moveSchema,
  }),
  get: endpoint('GET /moves/:id', { allow: superAdminOnly, reads: ['move'], response: moveSchema }),
  items: endpoint('GET /moves/:id/items', {
    allow: superAdminOnly,
    reads: ['move'],
    description:
      'What was found, what becomes of it, and why. Leads, links, IP addresses, notes and logs are only counted.',
    // Drawn as a page of its own, so it has no columns that a person sorts (docs/decisions/025-lists-described-once.md).
    ...pagedQuery({
      row: moveItemSchema,
      sort: 'position',
      perPage: 100,
      filters: { kind: queryOneOf(listedKinds), becomes: queryOneOf(itemOutcomes) },
    }),
  }),
  choose: endpoint('PUT /moves/:id/choices', {
    allow: superAdminOnly,
    changes: ['move'],
    row: 'move',
    description:
      'By the key of an item: the id of one of its options, `new`, or `skip`. Any item may be chosen again until the move is accepted.',
    body: z.strictObject({ choices: z.record(exactText(400), choiceField) }),
    response: moveSchema,
  }),
  accept: endpoint('POST /moves/:id/accept', {
    allow: superAdminOnly,
    changes: ['move'],
    row: 'move',
    description: 'Starts a job that writes the plan. No one is emailed; a job that was stopped goes on where it was.',
    response: moveSchema,
    success: 'The move has started',
  }),
  undo: endpoint('POST /moves/:id/undo', {
    allow: superAdminOnly,
    changes: ['move'],
    row: 'move',
    description: 'Starts a job that takes back what the move has written and no person has changed since.',
    response: moveSchema,
    confirm: 'Are you sure to undo this move?',
    success: 'The undo has started',
  }),
  invite: endpoint('POST /moves/:id/invite', {
    allow: superAdminOnly,
    changes: ['move', 'admin', 'leads-handler', 'client'],
    reauthenticate: true,
    description:
      'Invites the accounts that came with the move to choose a password: these users, or all who were not invited.',
    body: z.strictObject({ ids: z.array(idField).max(1000).optional() }).nullish(),
    response: z.object({ invited: countField, refused: z.array(z.object({ id: z.int(), reason: z.string() })) }),
  }),
  differences: endpoint('GET /moves/:id/differences', {
    allow: superAdminOnly,
    reads: ['move'],
    description: 'Counts by kind and month, theirs and ours. Theirs are read again, at most once a minute.',
    // Drawn as a page of its own, so it has no columns that a person sorts (docs/decisions/025-lists-described-once.md).
    ...pagedQuery({ row: differenceSchema, sort: 'kind', perPage: 200, filters: {} }),
  }),
}
