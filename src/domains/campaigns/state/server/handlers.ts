import { and, eq } from 'drizzle-orm'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Db } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { campaignStates as contract } from '../contract.ts'

export const campaignStatesCalls = implement(contract, {
  updateTroubleState: (call) => change(call, () => ({ trouble_state: call.body.trouble_state })),
  togglePpc: (call) =>
    change(call, ({ is_ppc }) => ({ is_ppc: call.body?.is_ppc === undefined ? !is_ppc : call.body.is_ppc === 1 })),
})

type State = { is_ppc: boolean; trouble_state: number }
type Changing = { db: Db; me: Me; actor: Actor; params: { id: number } }

/** The row is held from reading it to writing it, so that two flips at once are two flips. */
function change({ db, me, actor, params: { id } }: Changing, next: (state: State) => Partial<State>) {
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ is_ppc: campaigns.is_ppc, trouble_state: campaigns.trouble_state })
      .from(campaigns)
      .where(and(eq(campaigns.id, id), inTheirCampaigns(me, campaigns.id)))
      .for('update')
    if (!before) throw notFound()
    const [after] = await tx
      .update(campaigns)
      .set(next(before))
      .where(eq(campaigns.id, id))
      .returning({ name: campaigns.name, is_ppc: campaigns.is_ppc, trouble_state: campaigns.trouble_state })
    const { name, ...state } = after!
    await record(tx, actor, { kind: 'campaign', rowId: id, before, after: state })
    return { id, name, is_ppc: state.is_ppc ? (1 as const) : (0 as const), trouble_state: state.trouble_state }
  })
}
