import { and, eq } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import { notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { campaignNotes as contract } from '../contract.ts'

export const campaignNotesCalls = implement(contract, {
  update: ({ db, me, actor, params, body: { note } }) =>
    db.transaction(async (tx) => {
      const [campaign] = await tx
        .select({ id: campaigns.id, name: campaigns.name, notes: campaigns.notes })
        .from(campaigns)
        .where(and(eq(campaigns.id, params.id), inTheirCampaigns(me, campaigns.id)))
        .for('update')
      if (!campaign) throw notFound()
      const { id, name, notes } = campaign
      await tx.update(campaigns).set({ notes: note }).where(eq(campaigns.id, id))
      await record(tx, actor, { kind: 'campaign', rowId: id, before: { notes }, after: { notes: note } })
      return { id, name, note }
    }),
})
