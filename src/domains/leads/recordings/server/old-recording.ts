import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { listConnections, readConnectionSecret } from '#domains/connections/public.ts'
import { LegacyServer } from '#integrations/legacy/legacy-server.ts'

/** Reads the old systems that a lead was moved from, by address, and its ids there. */
export type ReadOldLeadIds = (db: DbOrTx, leadId: number) => Promise<{ source: string; old_id: string }[]>

/**
 * Returns the address at which an old system plays a recording that stayed there; null for any other recording. The address of a lead that was
 * not moved from there may name any recording of the old system, and is none of these.
 */
export async function findOldRecording(
  context: AppContext,
  readOldLeadIds: ReadOldLeadIds,
  lead: { id: number; url: string },
  stopping: AbortSignal,
): Promise<string | null> {
  const olds = await readOldLeadIds(context.db, lead.id)
  for (const { id, address } of olds.length > 0 ? await listConnections(context, 'legacy') : []) {
    const old = olds.find(
      ({ source, old_id }) => source === address && lead.url === `${source}/api/recording/${old_id}`,
    )
    if (!address || !old) continue
    const secret = await readConnectionSecret(context, 'legacy', id)
    if (secret === null) continue
    const server = new LegacyServer(context.outbound, { address, token: secret.token }, { stopping, tries: 1 })
    return server.readAddress(`recording/${old.old_id}`, 'a recording')
  }
  return null
}
