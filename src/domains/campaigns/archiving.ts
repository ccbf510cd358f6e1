import { and, eq, isNull } from 'drizzle-orm'
import { clients } from '#domains/clients/table.ts'
import { type Actor, record } from '#server/audit.ts'
import type { Tx } from '#server/db.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Me } from '#server/me.ts'
import { inTheirCampaigns } from '#server/scope.ts'
import { campaigns } from './table.ts'

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
