import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import {
  describeMentions,
  type ErasedPerson,
  erasedText,
  eraseMentions,
  mentionsPerson,
  type PersonalData,
} from '#core/erasure/personal-data.ts'
import type { SecretBox } from '#core/secrets/secrets.ts'
import {
  getImportFileContext,
  getRefusedFileContext,
  importFilesTable,
  importProblemsTable,
  importRefusedTable,
  importsTable,
} from '../schema.ts'
import { splitChunks } from './import-file.ts'
import { readCsvRecords } from './read-records.ts'

/** Where imports hold personal data: the file, its refused lines, and their problems. */
export const importsPersonalData: PersonalData[] = [
  {
    label: 'Files to import',
    table: importFilesTable,
    columns: ['content'],
    kept: [],
    erase: (tx, person, secrets) => eraseFiles(tx, person, secrets, importFilesTable, getImportFileContext),
  },
  {
    label: 'Refused lines of imports',
    table: importRefusedTable,
    columns: ['content'],
    kept: [],
    erase: (tx, person, secrets) => eraseFiles(tx, person, secrets, importRefusedTable, getRefusedFileContext),
  },
  {
    label: 'Problems of imports',
    table: importProblemsTable,
    columns: ['says', 'value'],
    mentioning: ['says', 'value'],
    kept: ['kind', 'column'],
    erase: eraseProblems,
  },
  describeMentions('Imports', importsTable, {
    columns: ['file_name', 'titles', 'values', 'problem'],
    kept: ['kind', 'columns', 'readings', 'state'],
  }),
]

type FileTable = typeof importFilesTable | typeof importRefusedTable

async function eraseFiles(
  tx: Tx,
  { pattern }: ErasedPerson,
  secrets: SecretBox,
  table: FileTable,
  toPlace: (id: number) => string,
): Promise<number> {
  let count = 0
  for (const { id } of await tx.select({ id: table.import_id }).from(table).orderBy(table.import_id)) {
    const [file] = await tx.select().from(table).where(eq(table.import_id, id)).for('update')
    if (!file) continue
    const before = secrets.open(file.content, toPlace(id))
    const { text, lines } = await eraseCsvRecords(before, new RegExp(pattern, 'i'))
    if (text === before) continue
    await tx
      .update(table)
      .set({ content: secrets.seal(text, toPlace(id)) })
      .where(eq(table.import_id, id))
    // Problems quote cells, and other cells of the line may identify the person too.
    if (table === importFilesTable)
      await tx.execute(sql`
        update ${importProblemsTable} set value = null
        where import_id = ${id} and line = any(${sql.param(lines)}::int[]) and value is not null`)
    count += Math.max(lines.length, 1)
  }
  return count
}

/**
 * Empties the records that mention the person, and returns the lines they started on. Line numbers stay the same,
 * because an import tracks its progress by line; the import refuses the emptied lines.
 */
async function eraseCsvRecords(text: string, pattern: RegExp): Promise<{ text: string; lines: number[] }> {
  const found: { line: number; mentions: boolean }[] = []
  for await (const record of readCsvRecords(splitChunks(text)))
    found.push({ line: record.line, mentions: pattern.test('cells' in record ? record.cells.join('\n') : record.text) })
  const lines = found.filter(({ mentions }) => mentions).map(({ line }) => line)
  const physical = text.split(/\r?\n|\r(?!\n|$)/)
  const header = found[0]?.line ?? 1
  const isMentionedBefore = physical.slice(0, header - 1).some((line) => pattern.test(line))
  if (lines.length === 0 && !isMentionedBefore) return { text, lines }
  for (let at = 0; at < header - 1; at++) if (pattern.test(physical[at] ?? '')) physical[at] = erasedText
  for (const [at, { line, mentions }] of found.entries())
    if (mentions)
      physical.fill('', line - 1, (found[at + 1]?.line ?? physical.length + 1) - 1).fill(erasedText, line - 1, line)
  return { text: physical.join('\r\n'), lines }
}

/** Clears the quoted values of problems that mention the person, and of all other problems on those lines. */
async function eraseProblems(tx: Tx, person: ErasedPerson): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    update ${importProblemsTable} problem set value = null
    where value is not null and (import_id, line) in (
      select import_id, line from ${importProblemsTable} where ${mentionsPerson(importProblemsTable, ['value'], person)})`)
  return (rowCount ?? 0) + (await eraseMentions(tx, importProblemsTable, ['says', 'value'], person))
}
