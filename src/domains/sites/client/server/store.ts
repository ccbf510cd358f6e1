import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError, isUniqueViolation } from '#core/http/errors.ts'
import { clientSitesTable } from '../schema.ts'

export const clientSiteAuditKind = 'client site'
export const callRailIdTakenMessage = 'Another client site has this CallRail Company ID'

type ClientSiteRow = typeof clientSitesTable.$inferSelect
type ClientSiteUpdate = {
  /** Audited; makes a new version. */
  shown?: Partial<ClientSiteRow>
  /** Not audited: results of checks. */
  columns?: PgUpdateSetSource<typeof clientSitesTable>
  /** Encrypted values; the audit log only says that they changed. */
  sealed?: Partial<Record<'hook_key' | 'callrail_signing_key', Buffer>>
}

/** Updates a site that the caller has locked, and writes the audit log. Throws 409 if another site has its CallRail id. */
export async function updateClientSiteRow(
  tx: Tx,
  actor: AuditActor,
  before: Partial<ClientSiteRow> & { id: number },
  { shown = {}, columns = {}, sealed = {} }: ClientSiteUpdate,
): Promise<void> {
  await rejectTakenCallRailId(() =>
    tx
      .update(clientSitesTable)
      .set({ ...shown, ...(Object.keys(shown).length > 0 && nextVersion), ...columns, ...sealed })
      .where(eq(clientSitesTable.id, before.id)),
  )
  const names = Object.keys(sealed) as (keyof typeof sealed)[] // its keys
  await writeAudit(tx, actor, {
    kind: clientSiteAuditKind,
    rowId: before.id,
    before: { ...before, ...Object.fromEntries(names.map((name) => [name, before[name] ? 'old' : null])) },
    after: { ...shown, ...Object.fromEntries(names.map((name) => [name, 'changed'])) },
  })
}

const nextVersion = { version: sql`${clientSitesTable.version} + 1` }

/** Moves a site to a campaign, or to none. The caller has locked it and checked the campaign. */
export const assignClientSite = (
  tx: Tx,
  actor: AuditActor,
  site: Pick<ClientSiteRow, 'id' | 'campaign_id'>,
  campaignId: number | null,
) => updateClientSiteRow(tx, actor, site, { shown: { campaign_id: campaignId } })

export async function rejectTakenCallRailId<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'client_sites_callrail')) throw error
    throw new HttpError(409, callRailIdTakenMessage, { callrail_campaign_identifier: [callRailIdTakenMessage] })
  }
}
