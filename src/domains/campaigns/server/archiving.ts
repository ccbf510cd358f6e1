import { and, eq, isNull } from 'drizzle-orm'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, notFound } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { clients } from '#domains/clients/schema.ts'
import { campaigns } from '../schema.ts'

/** Twice is once. A campaign whose client was removed meanwhile has nobody to come back to. */
export async function moveToArchive(tx: Tx, { me, actor }: { me: Me; actor: Actor }, id: number, archived: boolean) {
  const [campaign] = await tx
    .select({ archived: campaigns.archived, client_id: campaigns.client_id })
    .from(campaigns)
    .where(and(eq(campaigns.id, id), inTheirCampaigns(me, campaigns.id)))
    .for('update')
  if (!campaign) throw notFound()
  if (campaign.archived === archived) return
  if (!archived) await needClient(tx, campaign.client_id)
  await tx.update(campaigns).set({ archived }).where(eq(campaigns.id, id))
  await record(tx, actor, {
    kind: 'campaign',
    rowId: id,
    before: { archived: campaign.archived },
    after: { archived },
  })
}

/** Held until the end, so that nobody removes it meanwhile. */
async function needClient(tx: Tx, id: number) {
  const [client] = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.id, id), isNull(clients.deleted_at)))
    .for('key share')
  if (!client) throw conflict('The client of this campaign was removed; give the campaign another one first')
}
