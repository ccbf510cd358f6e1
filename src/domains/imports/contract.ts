import { z } from 'zod'
import { dateOrders, decimalMarks } from '#contract/column-reading.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getRowShape } from '#contract/field-definitions.ts'
import { exactText } from '#contract/fields.ts'
import { pagedFields, pagedQuery } from '#contract/paged.ts'
import { importFields, importProblemFields, importProblemFilters } from './fields.ts'
import { importKinds } from './labels.ts'
import { mayImport } from './may-import.ts'

export const maxImportBytes = 20 * 1024 * 1024
export const maxImportLines = 50_000
export const maxImportColumns = 300

/** Why a whole file is rejected before it is stored. */
export const fileErrorMessages = {
  missing: 'Please pick a CSV file',
  broken: 'The file did not arrive completely: please send it again',
  tooLarge: 'A file may have at most 20 MB',
  workbook: 'This is a workbook: save it as CSV (UTF-8) first',
  otherFormat: (format: string) => `This is ${format}: save it as CSV (UTF-8) first`,
  binary: 'This is not a text file: save it as CSV (UTF-8) first',
  empty: 'The file is empty',
  onlyHeader: 'The file has a header and no lines',
  noHeader: (value: string) => `The first line must name the columns, but it holds ‘${value}’`,
  blankHeader: 'The first line must name the columns, but it is blank',
  tooWide: `A file may have at most ${maxImportColumns} columns`,
  tooManyLines: `A file may have at most ${maxImportLines.toLocaleString('en-US')} lines: import it in parts`,
}
export const contradictionMessage =
  'The values of this column could be read in different ways: please say how they are read'
export const formatPickColumn = (label: string) => `Please pick the column for ${label}`

const countField = z.int().min(0)
const importSchema = z.object(getRowShape(importFields))
export type Import = z.infer<typeof importSchema>

const importFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  required: z.boolean(),
  /** A hint for values other than plain text. */
  about: z.string().nullable(),
  /** The only accepted values, if they are few. */
  choices: z.array(z.string()).nullable(),
  /** Whether a value names another row, for which the file may have a name of its own. */
  is_reference: z.boolean(),
  /** What its cells are read as; null for text. */
  reads: z.enum(['amount', 'day', 'moment']).nullable(),
})
export type ImportFieldDto = z.infer<typeof importFieldSchema>

const problemGroupSchema = z.object({
  column: z.string().nullable(),
  says: z.string(),
  /** The cells' value. */
  value: z.string().nullable(),
  lines: countField,
})

const readingChoice = z.enum([...decimalMarks, ...dateOrders])
/** How a column is read: the sign before the cents, or the order of day and month. */
export type ReadingChoice = z.infer<typeof readingChoice>

const columnReadingSchema = z.object({
  as: readingChoice,
  /** Whether its values alone do not decide it. */
  asked: z.boolean(),
  preset: readingChoice,
})
const openReadingSchema = columnReadingSchema.extend({
  /** Whether its values could be read in different ways, so that nothing runs before an answer. */
  contradicts: z.boolean(),
})
export type OpenReading = z.infer<typeof openReadingSchema>

const readingsSchema = z.record(exactText(60), readingChoice)
const valuesSchema = z.record(exactText(60), z.record(exactText(200), exactText(200)))

export const importsContract = {
  list: endpoint('GET /imports', {
    allow: mayImport,
    reads: ['import'],
    row: 'import',
    description: 'Imports, newest first.',
    ...pagedFields(importFields, { sort: 'created_at', order: 'desc', perPage: 50 }),
  }),
  fields: endpoint('GET /imports/fields', {
    allow: mayImport,
    reads: ['import'],
    description: 'The fields that a line of each kind may have.',
    response: z.record(z.enum(importKinds), z.array(importFieldSchema)),
  }),
  upload: endpoint('POST /imports', {
    allow: mayImport,
    changes: ['import'],
    row: 'import',
    description:
      'One CSV file as multipart form data: UTF-8, UTF-16 with its mark, or Windows-1252; commas, semicolons or tabs; at most 20 MB and 50,000 lines. Its header names the columns; lines before it are skipped. The file is stored for a day; nothing else is written.',
    query: z.object({ kind: z.enum(importKinds, 'Please say what the file holds') }),
    upload: true,
    response: importSchema,
  }),
  get: endpoint('GET /imports/:id', { allow: mayImport, reads: ['import'], response: importSchema }),
  columns: endpoint('GET /imports/:id/columns', {
    allow: mayImport,
    reads: ['import'],
    description:
      'The file’s columns, the first values of each, their mapping to fields, and how its amounts and dates are read.',
    response: z.object({
      columns: z.array(
        z.object({
          title: z.string(),
          samples: z.array(z.string()),
          /** All its distinct values, if they are few. */
          words: z.array(z.string()),
        }),
      ),
      chosen: z.record(z.string(), z.int()),
      values: valuesSchema,
      readings: z.array(columnReadingSchema.extend({ field: z.string() })),
    }),
  }),
  readings: endpoint('GET /imports/:id/readings', {
    allow: mayImport,
    reads: ['import'],
    description:
      'How each column of the file, in order, would be read as amounts and as dates, what was answered, and which columns are kept in the message.',
    response: z.object({
      columns: z.array(z.object({ amounts: openReadingSchema, dates: openReadingSchema })),
      answers: readingsSchema,
      /** Columns that go into the message if they are mapped to no field. */
      kept: z.array(z.int()),
    }),
  }),
  names: endpoint('GET /imports/:id/names', {
    allow: mayImport,
    reads: ['import'],
    description:
      'At most 20 existing names that a value of this field may be: those that begin with the text, contain it, or are spelled nearly like it.',
    query: z.object({ field: exactText(60), search: exactText(200).default('') }),
    response: z.object({ names: z.array(z.string()) }),
  }),
  check: endpoint('PUT /imports/:id/columns', {
    allow: mayImport,
    changes: ['import'],
    row: 'import',
    description:
      'Maps columns, counted from 0, to fields, and the file’s words to values (`values`, by field; `""` is the empty cell), says how amounts and dates are read (`readings`, by field), and starts a job that checks every line. Nothing else is written.',
    body: z.object({
      columns: z.record(exactText(60), z.int('Not a column').min(0, 'Not a column')),
      values: valuesSchema.default({}),
      readings: readingsSchema.default({}),
    }),
    response: importSchema,
  }),
  problems: endpoint('GET /imports/:id/problems', {
    allow: mayImport,
    reads: ['import'],
    description: 'Each problem with a line, or why a created row stays (`kind=kept`).',
    ...pagedFields(importProblemFields, { filters: importProblemFilters, sort: 'line', perPage: 50 }),
  }),
  groups: endpoint('GET /imports/:id/problems/groups', {
    allow: mayImport,
    reads: ['import'],
    description: 'The problems of the refused lines, by column, reason and value, with the number of lines.',
    // Groups of rows, drawn above the problems, so it has no columns (docs/decisions/025-lists-described-once.md).
    ...pagedQuery({ row: problemGroupSchema, sort: 'lines', order: 'desc', perPage: 50, filters: {} }),
  }),
  refused: endpoint('GET /imports/:id/refused', {
    allow: mayImport,
    description:
      'The refused lines as a CSV file, with one more column that says why. Kept for 30 days after the import.',
    streams: true,
    file: 'refused-lines.csv',
  }),
  run: endpoint('POST /imports/:id/run', {
    allow: mayImport,
    changes: ['import'],
    row: 'import',
    description: 'Starts a job that writes the new lines; a stopped job resumes where it was.',
    response: importSchema,
    confirm: 'Are you sure to import the new lines of this file?',
    success: 'The import has started',
  }),
  undo: endpoint('POST /imports/:id/undo', {
    allow: mayImport,
    changes: ['import'],
    row: 'import',
    description: 'Starts a job that removes what the import created, except rows changed or used since.',
    response: importSchema,
    confirm: 'Are you sure to undo this import?',
    success: 'The undo has started',
  }),
  discard: endpoint('DELETE /imports/:id', {
    allow: mayImport,
    changes: ['import'],
    row: 'import',
    description: 'Discards a file that has not been imported yet.',
    confirm: 'Are you sure to discard this file?',
    confirmLabel: 'Discard',
    success: 'The file was discarded',
  }),
}
