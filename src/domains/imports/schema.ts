import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { ReadingChoice } from './contract.ts'
import { importKinds, importProblemKinds, importStates } from './labels.ts'

const counterColumn = () => integer().notNull().default(0)

/** An uploaded file, from its upload to the undo of its import. */
export const importsTable = pgTable(
  'imports',
  {
    id: identityColumn(),
    kind: text({ enum: importKinds }).notNull(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id),
    file_name: text().notNull(),
    /** Bytes. */
    size: integer().notNull(),
    /** The file's column titles, in order. */
    titles: text().array().notNull(),
    /** The index of the file's column for each of our fields. */
    columns: jsonb().$type<Record<string, number>>().notNull(),
    /** Replacements of the file's values, by field. */
    values: jsonb().$type<Record<string, Record<string, string>>>().notNull().default({}),
    /** How a person says that amounts and dates are read, by field. */
    readings: jsonb().$type<Record<string, ReadingChoice>>().notNull().default({}),
    /** Records in the file, without the header and blank lines. */
    lines: integer().notNull(),
    state: text({ enum: importStates }).notNull().default('mapping'),
    /** Counts tasks: a job of an earlier round does nothing. */
    round: counterColumn(),
    /** The last line that the task has processed; its counts so far are below. */
    reached: counterColumn(),
    fresh: counterColumn(),
    known: counterColumn(),
    refused: counterColumn(),
    made: counterColumn(),
    removed: counterColumn(),
    kept: counterColumn(),
    /** Why the task has stopped, as a sentence. */
    problem: text(),
    created_at: timestampNowColumn(),
    updated_at: timestampNowColumn(),
    done_at: timestampColumn(),
    undone_at: timestampColumn(),
  },
  (one) => [index('imports_created').on(one.created_at, one.id), index('imports_user').on(one.user_id)],
)

/** The file itself, encrypted because it may hold passwords and keys; deleted when the import is done, or after a day. */
export const importFilesTable = pgTable('import_files', {
  import_id: integer()
    .primaryKey()
    .references(() => importsTable.id, { onDelete: 'cascade' }),
  content: byteaColumn().notNull(),
})

/** The refused lines of an import that is done, as an encrypted CSV file; deleted after some weeks. */
export const importRefusedTable = pgTable('import_refused', {
  import_id: integer()
    .primaryKey()
    .references(() => importsTable.id, { onDelete: 'cascade' }),
  content: byteaColumn().notNull(),
  created_at: timestampNowColumn(),
})

/** Refused lines, and rows that an undo kept. */
export const importProblemsTable = pgTable(
  'import_problems',
  {
    id: identityColumn(),
    import_id: integer()
      .notNull()
      .references(() => importsTable.id, { onDelete: 'cascade' }),
    kind: text({ enum: importProblemKinds }).notNull(),
    line: integer().notNull(),
    /** The column title in the file; null for the whole line. */
    column: text(),
    says: text().notNull(),
    /** The cell's value; null for a whole line, an empty cell, or a secret. */
    value: text(),
  },
  (problem) => [index('import_problems_lines').on(problem.import_id, problem.kind, problem.line, problem.id)],
)

/** The rows that an import created, for undo. */
export const importRowsTable = pgTable(
  'import_rows',
  {
    import_id: integer()
      .notNull()
      .references(() => importsTable.id, { onDelete: 'cascade' }),
    line: integer().notNull(),
    /** The id of the lead, client … */
    row_id: integer().notNull(),
    fate: text({ enum: ['removed', 'kept'] }),
  },
  (row) => [primaryKey({ columns: [row.import_id, row.line] })],
)

/** The associated data of the encrypted files. */
export const getImportFileContext = (id: number) => `import_files.content:${id}`
export const getRefusedFileContext = (id: number) => `import_refused.content:${id}`
