import { and, eq, isNull } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, notFoundError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { campaignsTable } from '../schema.ts'

/** Archives or restores a campaign; idempotent. Throws 409 if the client of a restored campaign has been removed. */
export async function setCampaignArchived(
  tx: Tx,
  { me, actor }: { me: CurrentUser; actor: AuditActor },
  id: number,
  archived: boolean,
) {
  const [campaign] = await tx
    .select({ archived: campaignsTable.archived, client_id: campaignsTable.client_id })
    .from(campaignsTable)
    .where(and(eq(campaignsTable.id, id), inVisibleCampaigns(me, campaignsTable.id)))
    .for('update')
  if (!campaign) throw notFoundError()
  if (campaign.archived === archived) return
  if (!archived) await requireActiveClient(tx, campaign.client_id)
  await tx.update(campaignsTable).set({ archived }).where(eq(campaignsTable.id, id))
  await writeAudit(tx, actor, {
    kind: 'campaign',
    rowId: id,
    before: { archived: campaign.archived },
    after: { archived },
  })
}

/** Locks the client, so that it is not removed before the commit. */
async function requireActiveClient(tx: Tx, id: number) {
  const [client] = await tx
    .select({ id: clientsTable.id })
    .from(clientsTable)
    .where(and(eq(clientsTable.id, id), isNull(clientsTable.deleted_at)))
    .for('key share')
  if (!client) throw conflictError('The client of this campaign was removed; give the campaign another one first')
}
