import { z } from 'zod'
import { superAdmin } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, queryOneOf } from '#contract/fields.ts'
import { paged } from '#contract/paged.ts'
import { importKinds, importStates, problemKinds } from './labels.ts'

export const maxFileBytes = 20 * 1024 * 1024
export const maxLines = 50_000
export const maxColumns = 300

/** Why a file is refused as a whole, before anything is kept. */
export const fileRefusals = {
  missing: 'Please pick a CSV file',
  broken: 'The file did not arrive whole: please send it again',
  tooLarge: 'A file may have at most 20 MB',
  workbook: 'This is a workbook: save it as CSV (UTF-8) first',
  wide: 'This text is UTF-16: save it as CSV (UTF-8) first',
  binary: 'This is not a text file: save it as CSV (UTF-8) first',
  empty: 'The file is empty',
  onlyHeader: 'The file has a header and no lines',
  noHeader: (value: string) => `The first line must name the columns, but it holds ‘${value}’`,
  blankHeader: 'The first line must name the columns, but it is blank',
  tooWide: `A file may have at most ${maxColumns} columns`,
  tooManyLines: `A file may have at most ${maxLines.toLocaleString('en-US')} lines: import it in parts`,
}
export const pickColumn = (label: string) => `Please pick the column for ${label}`

const count = z.int().min(0)
const importRow = z.object({
  id,
  kind: z.enum(importKinds),
  file_name: z.string(),
  state: z.enum(importStates),
  /** Who brought the file. */
  username: z.string(),
  created_at: z.iso.datetime(),
  done_at: z.iso.datetime().nullable(),
  undone_at: z.iso.datetime().nullable(),
  /** How many things the file has, and how many of them the task has dealt with. */
  lines: count,
  dealt_with: count,
  /** What the check found, or the import: new lines, those there already, those left out. */
  fresh: count,
  known: count,
  refused: count,
  /** How many it made; how many of them were taken back, and how many not. */
  made: count,
  removed: count,
  kept: count,
  /** Why the task does not go on, in words; also where nobody has worked on it for some time. */
  problem: z.string().nullable(),
})
export type Import = z.infer<typeof importRow>

const field = z.object({
  name: z.string(),
  label: z.string(),
  required: z.boolean(),
  /** What is understood besides plain text. */
  about: z.string().nullable(),
})
export type Field = z.infer<typeof field>

const problem = z.object({
  id,
  line: z.int(),
  /** The file's title of it; null where it is the line as a whole. */
  column: z.string().nullable(),
  says: z.string(),
})
export type Problem = z.infer<typeof problem>

export const imports = {
  list: endpoint('GET /imports', {
    allow: superAdmin,
    about: 'Imports, the newest first.',
    ...paged({
      row: importRow,
      sorts: ['created_at'],
      sort: 'created_at',
      order: 'desc',
      perPage: 50,
      filters: { kind: queryOneOf(importKinds) },
    }),
  }),
  fields: endpoint('GET /imports/fields', {
    allow: superAdmin,
    about: 'What a line of each kind may say.',
    answers: z.record(z.enum(importKinds), z.array(field)),
  }),
  upload: endpoint('POST /imports', {
    allow: superAdmin,
    about:
      'One CSV file as multipart form data: UTF-8, at most 20 MB and 50,000 lines, its first line naming the columns. It is kept for a day, and nothing else is written.',
    query: z.object({ kind: z.enum(importKinds, 'Please say what the file holds') }),
    answers: importRow,
  }),
  get: endpoint('GET /imports/:id', { allow: superAdmin, answers: importRow }),
  columns: endpoint('GET /imports/:id/columns', {
    allow: superAdmin,
    about: 'The file’s columns, the first values of each, and which of them is which of our fields.',
    answers: z.object({
      columns: z.array(z.object({ title: z.string(), samples: z.array(z.string()) })),
      chosen: z.record(z.string(), z.int()),
    }),
  }),
  check: endpoint('PUT /imports/:id/columns', {
    allow: superAdmin,
    about:
      'Says which column, counted from 0, is which field, and has every line looked at by a job. Nothing else is written.',
    body: z.object({ columns: z.record(z.string().max(60), z.int('Not a column').min(0, 'Not a column')) }),
    answers: importRow,
  }),
  problems: endpoint('GET /imports/:id/problems', {
    allow: superAdmin,
    about: 'Each thing that is wrong with a line, or why something that was made stays (`kind=kept`).',
    ...paged({
      row: problem,
      sorts: ['line'],
      sort: 'line',
      perPage: 50,
      filters: { kind: queryOneOf(problemKinds) },
    }),
  }),
  run: endpoint('POST /imports/:id/run', {
    allow: superAdmin,
    about: 'Has a job write the new lines; it goes on where it stood when it stopped.',
    answers: importRow,
    asks: 'Are you sure to import the new lines of this file?',
    says: 'The import has begun',
  }),
  undo: endpoint('POST /imports/:id/undo', {
    allow: superAdmin,
    about: 'Has a job take back what the import made; what somebody has changed or used since stays.',
    answers: importRow,
    asks: 'Are you sure to undo this import?',
    says: 'The undoing has begun',
  }),
  discard: endpoint('DELETE /imports/:id', {
    allow: superAdmin,
    about: 'Forgets a file that was not imported yet.',
    asks: 'Are you sure to discard this file?',
    says: 'The file was discarded',
  }),
}
