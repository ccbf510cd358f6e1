import { and, eq } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { notFoundError } from '#core/http/errors.ts'
import { inVisibleCampaigns } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignNotesContract } from '../contract.ts'

export const campaignNotesHandlers = implementContract(campaignNotesContract, {
  update: ({ db, me, actor, params, body: { note } }) =>
    db.transaction(async (tx) => {
      const [campaign] = await tx
        .select({ id: campaignsTable.id, name: campaignsTable.name, notes: campaignsTable.notes })
        .from(campaignsTable)
        .where(and(eq(campaignsTable.id, params.id), inVisibleCampaigns(me, campaignsTable.id)))
        .for('update')
      if (!campaign) throw notFoundError()
      const { id, name, notes } = campaign
      await tx.update(campaignsTable).set({ notes: note }).where(eq(campaignsTable.id, id))
      await writeAudit(tx, actor, { kind: 'campaign', rowId: id, before: { notes }, after: { notes: note } })
      return { id, name, note }
    }),
})
