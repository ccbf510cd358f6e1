import { eq } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Db } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { requireCampaign } from '#domains/campaigns/server/require-campaign.ts'
import { campaignStatesContract } from '../contract.ts'

export const campaignStatesHandlers = implementContract(campaignStatesContract, {
  updateTroubleState: (call) => changeCampaignState(call, () => ({ trouble_state: call.body.trouble_state })),
  togglePpc: (call) =>
    changeCampaignState(call, ({ is_ppc }) => ({
      is_ppc: call.body?.is_ppc === undefined ? !is_ppc : call.body.is_ppc === 1,
    })),
})

type CampaignState = { is_ppc: boolean; trouble_state: number }
type StateChangeContext = { db: Db; me: CurrentUser; actor: AuditActor; params: { id: number } }

/** Locks the row from read to write, so that two concurrent toggles both count. */
function changeCampaignState(
  { db, me, actor, params: { id } }: StateChangeContext,
  next: (state: CampaignState) => Partial<CampaignState>,
) {
  return db.transaction(async (tx) => {
    const before = await requireCampaign(tx, me, id, { lock: 'update' })
    const [after] = await tx.update(campaignsTable).set(next(before)).where(eq(campaignsTable.id, id)).returning({
      name: campaignsTable.name,
      is_ppc: campaignsTable.is_ppc,
      trouble_state: campaignsTable.trouble_state,
    })
    const { name, ...state } = after!
    await writeAudit(tx, actor, { kind: 'campaign', rowId: id, before, after: state })
    return { id, name, is_ppc: state.is_ppc ? (1 as const) : (0 as const), trouble_state: state.trouble_state }
  })
}
