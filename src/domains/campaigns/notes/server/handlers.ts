import { eq } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { isStale, staleVersionError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { requireCampaign } from '#domains/campaigns/server/require-campaign.ts'
import { campaignNotesContract } from '../contract.ts'

export const campaignNotesHandlers = implementContract(campaignNotesContract, {
  update: ({ db, me, actor, params, body: { note, seen } }) =>
    db.transaction(async (tx) => {
      const { id, name, notes } = await requireCampaign(tx, me, params.id, { lock: 'update' })
      if (isStale(seen, notes))
        throw staleVersionError(campaignNotesContract.update, 'Someone else has changed this note', {
          id,
          name,
          note: notes,
        })
      await tx.update(campaignsTable).set({ notes: note }).where(eq(campaignsTable.id, id))
      await writeAudit(tx, actor, { kind: 'campaign', rowId: id, before: { notes }, after: { notes: note } })
      return { id, name, note }
    }),
})
