import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { LegacyRow } from '#integrations/legacy/legacy-server.ts'
import type { MovedKind, WrittenKind } from '../labels.ts'

/** Who moves, and in which request. */
export type MoveCaller = { context: AppContext; me: CurrentUser; actor: AuditActor }

/** A thing that is to be written, as it was read. */
export type MovedThing = { old_id: string; label: string; payload: LegacyRow }

/** What the move knows beside the thing itself. */
export type MoveLookup = {
  /** The address of the old system: where its ids count. */
  source: string
  /** Returns the row that a thing of the old system has become; null if it was not moved. */
  find: (kind: MovedKind, oldId: string | null) => number | null
  /** Returns the row that an item of the move has become, by its key. */
  findItem: (key: string) => number | null
  /** Does the same for the campaign of a thing, which some systems only name. */
  findCampaign: (row: LegacyRow) => number | null
  /** Whether the plan has the campaign that a thing names, whatever became of it. */
  isCampaignPlanned: (row: LegacyRow) => boolean
  /** Returns a file of the old system, which was fetched before the transaction. */
  files: ReadonlyMap<string, Buffer>
}

/** What has become of a thing. `kept` says what of it could not be written, `made` what else came of it; `isOld` that it was here already. */
export type WrittenThing = { id: number; kept?: string | undefined; made?: LegacyRow; isOld?: boolean }

/** Tells whether a thing that the move has written stays, and what the writer has made beside the row. */
type MoveUndo = { stays: (kind: MovedKind, id: number) => Promise<boolean>; made: LegacyRow | null }

/** How one kind of thing is written and taken back, with the writers of its domain. */
export interface KindWriter {
  /** Writes a thing in the caller's transaction. Throws an `HttpError` if it cannot be written. */
  write(tx: Tx, by: MoveCaller, thing: MovedThing, lookup: MoveLookup): Promise<WrittenThing>
  /** Writes several at once; if one cannot be written, all are written alone. */
  writeMany?(tx: Tx, by: MoveCaller, things: readonly MovedThing[], lookup: MoveLookup): Promise<WrittenThing[]>
  /** Sets what a thing that is here already lacks; returns the earlier values of what was set. */
  complete?(tx: Tx, by: MoveCaller, id: number, thing: MovedThing, lookup: MoveLookup): Promise<LegacyRow | null>
  /** Sets these values again, unless a person has changed them since. Returns what stays, if something does. */
  restore?(tx: Tx, by: MoveCaller, id: number, values: LegacyRow): Promise<string | null>
  /** The addresses of files that come along. */
  listFiles?(thing: MovedThing): string[]
  /** Takes a written thing back. Returns why it stays, if it does. */
  remove(tx: Tx, by: MoveCaller, id: number, undo: MoveUndo): Promise<string | null>
  /** Takes several back at once. Returns those that stay, each with its reason. */
  removeMany?(tx: Tx, ids: readonly number[]): Promise<Map<number, string>>
}

export type KindWriters = Readonly<Record<WrittenKind, KindWriter>>

export const billedReason = 'it is on a statement'
export const changedReason = 'somebody has changed it since'
