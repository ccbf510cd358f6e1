import { and, desc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import { conflictError, HttpError, notFoundError } from '#core/http/errors.ts'
import { JsonText } from '#core/http/json-text.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { arrivingMailStates, mailState, missedCallTags, repeatableMailStates } from '#domains/leads/labels.ts'
import { lockCampaignClient } from '#domains/leads/model/client-moves.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { lockLeadRow } from '#domains/leads/model/lead-key.ts'
import { readLeadJson, toLeadReader } from '#domains/leads/model/serializer.ts'
import { canSeeLead } from '#domains/leads/model/visibility.ts'
import { mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { leadMailsContract } from '../contract.ts'
import { mailsTable } from '../schema.ts'
import { enqueueMail } from './enqueue.ts'
import { isReplacedForClient } from './replaced-mails.ts'

type MailKind = (typeof mailsTable.$inferSelect)['kind']

export const leadMailsHandlers = implementContract(leadMailsContract, {
  sendWarning: (call) => requestLeadMail(call, 'missed_call_warning'),
  sendNotification: (call) => requestLeadMail(call, 'notification'),

  sendAgain: ({ db, me, context, actor, params }) =>
    runTransaction(db, async (tx) => {
      const lead = await lockLeadRow(tx, params.id)
      if (!lead || !canSeeLead(me, lead)) throw notFoundError()
      const mail = await findLeadMail(tx, lead, params.mailId)
      if (!(await isSentAgain(tx, lead, mail))) {
        if (lead.hide) throw new HttpError(422, 'This lead is hidden')
        if (isReplacedForClient(mail, await readMails(tx, lead), await lockCampaignClient(tx, lead.campaign_id)))
          throw new HttpError(422, replacedMessage)
        if (!(await context.mailer.isConnected(tx))) throw conflictError(mailerNotConnected)
        const again = { leadId: lead.id, kind: mail.kind, requestedBy: me.id, againOf: mail.again_of ?? mail.id }
        const enqueued = await enqueueMail(tx, context, again)
        if ('none' in enqueued) throw new HttpError(422, enqueued.none)
        const { id, kind, recipients } = enqueued.mail
        const after = { lead_id: lead.id, kind, recipients, again_of: mail.id }
        await writeAudit(tx, actor, { kind: 'mail', rowId: id, before: null, after })
      }
      return new JsonText(await readLeadJson(tx, toLeadReader({ me, context }), lead))
    }),
})

const replacedMessage = 'This email was for another client, and the client who has the lead now was emailed already'

const isOfLead = (lead: StoredLead) =>
  and(eq(mailsTable.lead_id, lead.id), eq(mailsTable.campaign_id, lead.campaign_id))

const readMails = (tx: Tx, lead: StoredLead) => tx.select().from(mailsTable).where(isOfLead(lead))

async function findLeadMail(tx: Tx, lead: StoredLead, id: number) {
  const [mail] = await tx
    .select()
    .from(mailsTable)
    .where(and(isOfLead(lead), eq(mailsTable.id, id)))
  if (!mail) throw notFoundError()
  if (!repeatableMailStates.includes(mail.state))
    throw new HttpError(422, 'Only an email that was refused or that may be lost is sent again')
  return mail
}

/** Returns whether a later mail that repeats this one is queued or sent. */
async function isSentAgain(tx: Tx, lead: StoredLead, mail: typeof mailsTable.$inferSelect): Promise<boolean> {
  const [later] = await tx
    .select({ id: mailsTable.id })
    .from(mailsTable)
    .where(
      and(
        isOfLead(lead),
        gt(mailsTable.id, mail.id),
        eq(mailsTable.again_of, mail.again_of ?? mail.id),
        inArray(mailsTable.state, arrivingMailStates),
      ),
    )
    .limit(1)
  return later !== undefined
}

type MailLeadCall = Pick<
  EndpointCall<typeof leadMailsContract.sendWarning>,
  'db' | 'me' | 'context' | 'actor' | 'params'
>

/** Sends a mail by hand. A second request within a minute, or at the same time, sends no other. */
async function requestLeadMail({ db, me, context, actor, params }: MailLeadCall, kind: MailKind) {
  return runTransaction(db, async (tx) => {
    const lead = await lockLeadRow(tx, params.id)
    if (!lead || !canSeeLead(me, lead)) throw notFoundError()
    if (!lead.tags.some((tag) => missedCallTags.includes(tag)))
      throw new HttpError(422, 'Only a lead tagged Missed Call or Auto Missed Call can be emailed')
    if (lead.hide) throw new HttpError(422, 'This lead is hidden')
    if (!(await context.mailer.isConnected(tx))) throw conflictError(mailerNotConnected)
    if (!(await hasRecentMail(tx, lead, kind))) {
      const enqueued = await enqueueMail(tx, context, { leadId: lead.id, kind, requestedBy: me.id })
      if ('none' in enqueued) throw new HttpError(422, enqueued.none)
      const { id, recipients } = enqueued.mail
      await writeAudit(tx, actor, {
        kind: 'mail',
        rowId: id,
        before: null,
        after: { lead_id: lead.id, kind, recipients },
      })
    }
    return new JsonText(await readLeadJson(tx, toLeadReader({ me, context }), lead))
  })
}

/** Mails to the client who had the lead before do not count. */
async function hasRecentMail(tx: Tx, lead: Pick<StoredLead, 'id' | 'campaign_id'>, kind: MailKind): Promise<boolean> {
  const client = await lockCampaignClient(tx, lead.campaign_id)
  const [recent] = await tx
    .select({ id: mailsTable.id })
    .from(mailsTable)
    .where(
      and(
        eq(mailsTable.lead_id, lead.id),
        client === null ? undefined : eq(mailsTable.client_id, client),
        eq(mailsTable.kind, kind),
        notInArray(mailsTable.state, [mailState.failed, mailState.cancelled]),
        gt(mailsTable.created_at, sql`now() - interval '60 seconds'`),
      ),
    )
    .orderBy(desc(mailsTable.id))
    .limit(1)
  return recent !== undefined
}
