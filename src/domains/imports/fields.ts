import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { idField, queryOneOf } from '#contract/fields.ts'
import { byChoice, byExact } from '#contract/filter-definitions.ts'
import { instantField } from '#contract/instants.ts'
import { importKinds, importKindTitles, importProblemKinds, importStates } from './labels.ts'

const count = { kind: 'count', row: z.int().min(0) } as const
const optionalTime = { kind: 'instant', row: instantField.nullable() } as const

export const importFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  kind: {
    kind: 'choice',
    label: 'Kind',
    row: z.enum(importKinds),
    choices: importKindTitles,
    column: { width: 112 },
    filter: byChoice(importKinds, importKindTitles),
  },
  file_name: { kind: 'text', label: 'File', row: z.string(), column: { width: 188, pinned: 'start' } },
  state: { kind: 'custom', label: 'State', row: z.enum(importStates), column: { width: 116 } },
  /** Who uploaded the file. */
  username: { kind: 'longText', label: 'Person', row: z.string(), column: true },
  created_at: { kind: 'instant', label: 'Uploaded', row: instantField, column: { width: 148 }, sort: true },
  done_at: { label: 'Done', ...optionalTime },
  undone_at: { label: 'Undone', ...optionalTime },
  /** Records in the file, and how many of them the task has processed. */
  lines: { label: 'Lines', ...count, column: { width: 72 } },
  dealt_with: { label: 'Processed', ...count },
  /** What the check or the import found: new lines, known ones, and refused ones. */
  fresh: { label: 'New', ...count },
  known: { label: 'Known', ...count },
  refused: { label: 'Refused', ...count, column: { width: 80 } },
  /** Rows created; of these, rows removed by an undo, and rows kept. */
  made: { label: 'Created', ...count, column: { width: 80 } },
  removed: { label: 'Removed', ...count, column: { width: 84 } },
  kept: { label: 'Kept', ...count },
  /** Why the task has stopped, or that it has stalled, as a sentence. */
  problem: { kind: 'longText', label: 'Problem', row: z.string().nullable() },
})

export const importProblemFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  line: { kind: 'count', label: 'Line', row: z.int(), column: { width: 90, pinned: 'start' }, sort: true },
  /** The column title in the file; null for the whole line. */
  column: { kind: 'text', label: 'Column', row: z.string().nullable(), column: { width: 140 } },
  says: { kind: 'custom', label: 'Why', row: z.string(), column: true },
})
export const importProblemFilters = { kind: byExact(queryOneOf(importProblemKinds)) }
