import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { MoveDifference, MoveOption } from './contract.ts'
import { itemOutcomes, itemStates, linkLevels, type MovedKind, moveStates } from './labels.ts'

const counterColumn = () => integer().notNull().default(0)

/**
 * A system that a move reads, as it was when the move began: its connection may be deleted later. `history` if the move has started to
 * read what the account had before it was connected.
 */
export type MoveSource = {
  connection: number
  kind: 'legacy' | 'callrail'
  name: string
  source: string
  history?: boolean
}

/** The move of an agency from other systems, from its plan to its undo. */
export const movesTable = pgTable(
  'moves',
  {
    id: identityColumn(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id),
    state: text({ enum: moveStates }).notNull().default('reading'),
    /** Why it has failed, as a sentence. */
    problem: text(),
    sources: jsonb().$type<MoveSource[]>().notNull(),
    done: counterColumn(),
    /** Null while it is not known. */
    total: integer(),
    /** What the old systems do not have or do not give, as sentences. */
    lacks: jsonb().$type<Partial<Record<MovedKind, string[]>>>().notNull().default({}),
    /** How much comes along with other things: links, IP addresses, logs. */
    counted: jsonb().$type<Partial<Record<MovedKind, number>>>().notNull().default({}),
    /** How many leads were found in each month. */
    months: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** Their counts, read again for each comparison, at most once a minute. */
    differences: jsonb().$type<MoveDifference[]>(),
    compared_at: timestampColumn(),
    created_at: timestampNowColumn(),
    updated_at: timestampNowColumn(),
    accepted_at: timestampColumn(),
    done_at: timestampColumn(),
    undone_at: timestampColumn(),
  },
  (move) => [index('moves_created').on(move.created_at, move.id), index('moves_user').on(move.user_id)],
)

/** What was found in an old system, and what becomes of it. */
export const moveItemsTable = pgTable(
  'move_items',
  {
    move_id: integer()
      .notNull()
      .references(() => movesTable.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    /** The order in which items are written: by kind, then as they were found. */
    position: integer().notNull(),
    kind: text().$type<MovedKind>().notNull(),
    connection_id: integer().notNull(),
    /** Its id in the old system. */
    old_id: text().notNull(),
    label: text().notNull(),
    /** As it was read. Null once it is written. */
    payload: jsonb().$type<Record<string, unknown>>(),
    becomes: text({ enum: itemOutcomes }).notNull().default('new'),
    to_kind: text().$type<MovedKind>(),
    to_id: integer(),
    /** Instead of a row: the key of another item of the move, with which it becomes one thing. */
    to_key: text(),
    to_label: text(),
    by: text({ enum: linkLevels }),
    reason: text(),
    options: jsonb().$type<MoveOption[]>().notNull().default([]),
    /** What a person has chosen: the id of an option, `new` or `skip`. A company that is switched off is left out at first. */
    choice: text(),
    state: text({ enum: itemStates }).notNull().default('open'),
    /** The row that it has become. */
    row_id: integer(),
    /** What the move has set in a row that was there before, with the earlier values; or what it has made beside the row. */
    replaced: jsonb().$type<Record<string, unknown>>(),
    /** Why it was not written, not wholly written, or not taken back. */
    kept: text(),
  },
  (item) => [
    primaryKey({ columns: [item.move_id, item.key] }),
    index('move_items_position').on(item.move_id, item.position),
    index('move_items_open').on(item.move_id, item.state, item.position),
    index('move_items_row').on(item.kind, item.row_id),
  ],
)

/** The ids of old systems, by which another move finds what has been moved. */
export const movedIdsTable = pgTable(
  'moved_ids',
  {
    /** The address of the old system, or its account. */
    source: text().notNull(),
    kind: text().$type<MovedKind>().notNull(),
    old_id: text().notNull(),
    row_id: integer().notNull(),
    move_id: integer()
      .notNull()
      .references(() => movesTable.id, { onDelete: 'cascade' }),
  },
  (id) => [
    primaryKey({ columns: [id.source, id.kind, id.old_id] }),
    index('moved_ids_row').on(id.kind, id.row_id),
    index('moved_ids_move').on(id.move_id),
  ],
)
