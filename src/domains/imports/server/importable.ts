import type { AuditActor } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'

/** What a line may say of a thing. */
export type ImportField = {
  /** As on the wire. */
  name: string
  /** As people call it. */
  label: string
  /** A file without it is not taken. */
  required?: boolean
  /** Other titles that files give it. */
  also?: readonly string[]
  /** What is understood besides plain text. */
  about?: string
}

/** The cells of a line by the names of our fields; those that the file does not have are not there. */
export type LineCells = Readonly<Record<string, string>>
/** What is wrong with a line, and in which field; null where it is the line as a whole. */
export type LineProblem = { field: string | null; says: string }
export type ParsedLine<Row> = {
  row: Row
  /** What no other line may have too. */
  names: string[]
}

/** Who, through which request. */
export type ImportCaller = { context: AppContext; me: CurrentUser; actor: AuditActor }

/**
 * A kind of thing that comes in from a file. Its rules are those of its domain: the same schemas, the same saving. The command line
 * and the browser share all of it.
 */
export interface ImportDefinition<Row> {
  readonly fields: readonly ImportField[]
  /** How many lines share a look at the database, and a commit. */
  readonly atOnce: number
  /** Reads what lines are looked up in, and answers how one is understood by itself. */
  open(context: AppContext): Promise<(cells: LineCells) => ParsedLine<Row> | { wrong: LineProblem[] }>
  /** What the database says of each: new, there already (it then stays as it is), or not to be made. In the order given. */
  there(db: DbOrTx, rows: Row[]): Promise<('fresh' | 'known' | LineProblem[])[]>
  /** Makes them, in one transaction; what meanwhile is there or is refused is told of each. In the order given. */
  write(tx: Tx, by: ImportCaller, rows: Row[]): Promise<({ id: number } | 'known' | LineProblem[])[]>
  /** Takes back what an import made, unless somebody has changed or used it since: answers why, of each that stays. */
  remove(tx: Tx, by: ImportCaller, ids: number[]): Promise<Map<number, string>>
}

/** Which column of a file, counted from 0, is which of our fields. */
export type ColumnMapping = Record<string, number>

/** Takes the columns whose titles say what they are. */
export function guessColumns(fields: readonly ImportField[], titles: readonly string[]): ColumnMapping {
  const bare = titles.map(normalizeTitle)
  const guessed: ColumnMapping = {}
  for (const { name, label, also = [] } of fields) {
    const index = [name, label, ...also]
      .map((title) =>
        bare.findIndex((one, at) => one === normalizeTitle(title) && !Object.values(guessed).includes(at)),
      )
      .find((at) => at !== -1)
    if (index !== undefined) guessed[name] = index
  }
  return guessed
}

/** `Lead Date` is `lead_date`. */
const normalizeTitle = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Required fields that no column is taken for. */
export const findMissingFields = (fields: readonly ImportField[], columns: ColumnMapping) =>
  fields.filter(({ name, required }) => required && columns[name] === undefined)
