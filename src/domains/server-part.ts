import type { BackupPlan } from '#core/backup/backup-plan.ts'
import type { Tx } from '#core/db/db.ts'
import type { PersonalData } from '#core/erasure/personal-data.ts'
import type { DatabaseGauge } from '#core/metrics/metrics.ts'
import type { ExplainedFields, HideableColumns, ScopedRows, ViewedTable } from './access/public.ts'
import type { AppContext, BackgroundWorker, ImplementedEndpoint, JobDefinition } from './app-context.ts'
import type { HandOverCampaign } from './campaigns/public.ts'
import type { ImportKind } from './imports/labels.ts'
import type { ImportDefinition, ImportDefinitions } from './imports/public.ts'
import type { ReadOldLeadIds, ReadSilentSources } from './leads/public.ts'
import type { KindWriters } from './moves/public.ts'

/** What all parts declare, for the few domains that need all of a kind. */
export type DeclaredParts = {
  /** Tables whose columns users move and resize, by the name that the screen passes to its table. */
  tables: readonly string[]
  /** The columns that users may hide, by the name of their view. */
  hideableColumns: HideableColumns
  /** The lists that have saved views. */
  savedViews: Readonly<Record<string, ViewedTable>>
  /** The rows that belong to campaigns, to explain who may see them. */
  scopedRows: readonly ScopedRows[]
  /** Which rows of a list a person sees, as a phrase, by the kind of row; lists without one are the same for all who may open them. */
  listRules: Readonly<Record<string, string>>
  /** The calls whose fields depend on the person. */
  explainedFields: readonly ExplainedFields[]
  /** How each kind of import is validated, written and undone. */
  imports: ImportDefinitions
  /** How each kind of thing of another system is written and taken back. */
  moves: KindWriters
  /** Tells lead sources which of them are silent. */
  readSilentSources: ReadSilentSources
  /** Tells recordings which leads were moved from which old systems. */
  readOldLeadIds: ReadOldLeadIds
  /** What follows, in its transaction, when a campaign is given to another client. */
  handOverCampaign: readonly HandOverCampaign[]
  /** Say why a connection cannot be removed now, or null. */
  connectionUses: readonly ((tx: Tx, id: number) => Promise<string | null>)[]
  /** Tables with data about people outside the agency. */
  personalData: readonly PersonalData[]
}

/**
 * What the program needs to know of a domain on the server, beside its functions. `app/server/parts.ts` lists the parts; routes,
 * jobs, saved views, imports, erasure and backup derive from them.
 */
export type ServerPart = Partial<Omit<DeclaredParts, 'imports' | 'moves' | 'readSilentSources' | 'readOldLeadIds'>> & {
  imports?: Partial<Record<ImportKind, ImportDefinition<unknown>>>
  /** A function where the domain needs what all parts declare. */
  handlers?: readonly ImplementedEndpoint[] | ((declared: DeclaredParts) => readonly ImplementedEndpoint[])
  jobs?: readonly JobDefinition<never>[] | ((declared: DeclaredParts) => readonly JobDefinition<never>[])
  /** Work beside jobs, in each process that works. */
  workers?: readonly ((context: AppContext) => BackgroundWorker)[]
  /** PostgreSQL channels that every process listens to. */
  channels?: readonly string[]
  /** Gauges of /metrics. */
  gauges?: readonly DatabaseGauge[]
  /** Tables with text from which no person is erased, by the reason. */
  withoutPeople?: Readonly<Record<string, readonly string[]>>
  encryptedColumns?: BackupPlan['encryptedColumns']
  /** Tables that a backup leaves out, because each start fills them again. */
  derivedTables?: BackupPlan['derivedTables']
  /** What is no longer true of the rows of a restored backup. */
  afterRestore?: BackupPlan['afterRows']
}
