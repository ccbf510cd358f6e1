import { eq } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { requireCampaign } from '#domains/campaigns/server/require-campaign.ts'
import { campaignNotesContract } from '../contract.ts'

export const campaignNotesHandlers = implementContract(campaignNotesContract, {
  update: ({ db, me, actor, params, body: { note } }) =>
    db.transaction(async (tx) => {
      const { id, name, notes } = await requireCampaign(tx, me, params.id, { lock: 'update' })
      await tx.update(campaignsTable).set({ notes: note }).where(eq(campaignsTable.id, id))
      await writeAudit(tx, actor, { kind: 'campaign', rowId: id, before: { notes }, after: { notes: note } })
      return { id, name, note }
    }),
})
