import { and, eq, inArray, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { type MailState, mailState } from '#domains/leads/labels.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { mailsTable } from '../schema.ts'
import { sendMailJob } from './jobs.ts'

type MailLead = Pick<StoredLead, 'id' | 'campaign_id'>

/** Cancels the queued mails of a lead, and returns their ids. */
export const cancelWaitingMails = (tx: Tx, actor: AuditActor, lead: MailLead): Promise<number[]> =>
  moveMails(tx, actor, lead, mailState.queued, mailState.cancelled)

/** Queues these mails again if they are still cancelled. */
export async function requeueMails(
  tx: Tx,
  context: AppContext,
  actor: AuditActor,
  lead: MailLead,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return
  const queued = await moveMails(tx, actor, lead, mailState.cancelled, mailState.queued, ids)
  const jobs = queued.map((mailId) => ({ mailId }))
  if (jobs.length > 0) await context.jobs.sendAll(tx, sendMailJob, jobs)
}

/** Deletes these mails if sending has not started. */
export async function withdrawMails(tx: Tx, actor: AuditActor, lead: MailLead, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const removed = await tx
    .delete(mailsTable)
    .where(and(isOfLead(lead), eq(mailsTable.state, mailState.queued), inArray(mailsTable.id, ids)))
    .returning()
  for (const { id, lead_id, kind, recipients } of removed)
    await writeAudit(tx, actor, { kind: 'mail', rowId: id, before: { lead_id, kind, recipients }, after: null })
}

const isOfLead = ({ id, campaign_id }: MailLead) =>
  and(eq(mailsTable.lead_id, id), eq(mailsTable.campaign_id, campaign_id))

async function moveMails(tx: Tx, actor: AuditActor, lead: MailLead, from: MailState, to: MailState, ids?: number[]) {
  const moved = await tx
    .update(mailsTable)
    .set({ state: to, ...(to === mailState.queued && { created_at: sql`now()` }) }) // a mail that waits for three days is given up
    .where(and(isOfLead(lead), eq(mailsTable.state, from), ids && inArray(mailsTable.id, ids)))
    .returning({ id: mailsTable.id })
  for (const { id } of moved)
    await writeAudit(tx, actor, { kind: 'mail', rowId: id, before: { state: from }, after: { state: to } })
  return moved.map(({ id }) => id)
}
