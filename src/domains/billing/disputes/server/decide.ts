import { and, eq } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import { type Db, runTransaction, type Tx } from '#core/db/db.ts'
import { conflictError, notFoundError, validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { requireCampaign, requireUnarchived } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { enqueueMail, moveLead, unverifyLead } from '#domains/leads/public.ts'
import { mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { disputesTable } from '../schema.ts'
import { disputeAuditKind } from './mutations.ts'

/** `move_to` accepts it, too: the lead belongs to the client of this campaign. */
type Decision = {
  accept?: boolean | undefined
  answer: string
  move_to?: number | undefined
  notify?: 0 | 1 | undefined
}
const movedMessage = 'The lead is in another campaign now'

type Dispute = typeof disputesTable.$inferSelect
type Decider = { me: CurrentUser; actor: AuditActor; zone: string; context: AppContext }

/** Decides an open dispute. Accepting unverifies the lead, or moves it to another client; neither if it has left its campaign. */
export function decideDispute(db: Db, by: Decider, id: number, decision: Decision): Promise<void> {
  return runTransaction(db, async (tx) => {
    const { me } = by
    const visible = and(eq(disputesTable.id, id), inVisibleCampaigns(me, disputesTable.campaign_id))
    const [seen] = await tx.select().from(disputesTable).where(visible)
    if (!seen) throw notFoundError()
    const decide = () => storeDecision(tx, by, seen, decision)
    // Locks the lead before its dispute, in the same order as when a client sets its progress.
    if (decision.move_to !== undefined) return moveDisputedLead(tx, by, seen, decision, decide)
    if (decision.accept) await unverifyLead(tx, by, { id: seen.lead_id, campaign_id: seen.campaign_id })
    await decide()
  })
}

async function storeDecision(tx: Tx, { me, actor }: Decider, seen: Dispute, decision: Decision) {
  const [dispute] = await tx.select().from(disputesTable).where(eq(disputesTable.id, seen.id)).for('update')
  if (!dispute) throw notFoundError()
  if (dispute.state === 'settled') throw conflictError('The lead went to another client, so this dispute is settled')
  if (dispute.state !== 'open') throw conflictError('This dispute was decided already')
  // It went along with its lead since: the lead was not unverified there, and may be in a campaign of others.
  if (dispute.campaign_id !== seen.campaign_id) throw conflictError(movedMessage)
  const { accept, move_to, answer } = decision
  const state = accept || move_to !== undefined ? 'accepted' : 'refused'
  await tx
    .update(disputesTable)
    .set({ state, answer, decided_at: new Date(), decided_by: me.id })
    .where(eq(disputesTable.id, dispute.id))
  await writeAudit(tx, actor, {
    kind: disputeAuditKind,
    rowId: dispute.id,
    before: { state: dispute.state, answer: null },
    after: { state, answer, ...(move_to === undefined ? {} : { move_to }) },
  })
}

/** Gives the lead to the client whose it is, and mails them if that is wanted. */
async function moveDisputedLead(
  tx: Tx,
  by: Decider,
  { lead_id, campaign_id: from }: Dispute,
  { move_to: to = from, notify }: Decision,
  decide: () => Promise<void>,
) {
  const { me, context } = by
  const known = await tx.$count(campaignsTable, eq(campaignsTable.id, to))
  if (known === 0) throw validationError({ move_to: ['There is no such campaign'] })
  const target = await requireCampaign(tx, me, to, { lock: 'key share' })
  const [source] = await tx.select().from(campaignsTable).where(eq(campaignsTable.id, from))
  if (source?.client_id === target.client_id)
    throw validationError({ move_to: ['This campaign is of the same client'] })
  requireUnarchived(target, 'move_to')
  if (!(await moveLead(tx, by, { id: lead_id, from, to, keepsSite: false, before: decide })))
    throw conflictError(movedMessage)
  if (!notify) return
  if (!(await context.mailer.isConnected(tx))) throw conflictError(mailerNotConnected)
  const enqueued = await enqueueMail(tx, context, { leadId: lead_id, kind: 'notification', requestedBy: me.id })
  if ('none' in enqueued) throw validationError({ notify: [enqueued.none] })
}
