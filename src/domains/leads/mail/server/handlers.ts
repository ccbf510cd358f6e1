import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, notFound, Refusal } from '#core/http/errors.ts'
import { type Call, implement, JsonText } from '#core/http/handle.ts'
import { missedCallTags } from '#domains/leads/labels.ts'
import { lockLead } from '#domains/leads/model/lead-key.ts'
import { leadJson } from '#domains/leads/model/serializer.ts'
import { sees } from '#domains/leads/model/visibility.ts'
import { notConnected } from '#integrations/smtp/smtp.ts'
import { leadMails as contract } from '../contract.ts'
import { mails } from '../schema.ts'
import { enqueueMail } from './enqueue.ts'

type Kind = (typeof mails.$inferSelect)['kind']

export const leadMailsCalls = implement(contract, {
  sendWarning: (call) => mailLead(call, 'missed_call_warning'),
  sendNotification: (call) => mailLead(call, 'notification'),
})

type Asking = Pick<Call<typeof contract.sendWarning>, 'db' | 'me' | 'house' | 'actor' | 'params'>

/** Who asks twice within a minute, or together with somebody else, gets the mail that is on its way. */
async function mailLead({ db, me, house, actor, params }: Asking, kind: Kind) {
  return db.transaction(async (tx) => {
    const lead = await lockLead(tx, params.id)
    if (!lead || !sees(me, lead)) throw notFound()
    if (!lead.tags.some((tag) => missedCallTags.includes(tag)))
      throw new Refusal(422, 'Only a lead tagged Missed Call or Auto Missed Call can be mailed')
    if (lead.hide) throw new Refusal(422, 'This lead is hidden')
    if (!house.mailer.connected) throw conflict(notConnected)
    if (!(await isOnItsWay(tx, lead.id, kind))) {
      const enqueued = await enqueueMail(tx, house, { leadId: lead.id, kind, requestedBy: me.id })
      if ('none' in enqueued) throw new Refusal(422, enqueued.none)
      const { id, recipients } = enqueued.mail
      await record(tx, actor, { kind: 'mail', rowId: id, before: null, after: { lead_id: lead.id, kind, recipients } })
    }
    return new JsonText(await leadJson(tx, { me, zone: house.settings.AGENCY_TIMEZONE }, lead.id))
  })
}

async function isOnItsWay(tx: Tx, leadId: number, kind: Kind): Promise<boolean> {
  const [recent] = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        eq(mails.lead_id, leadId),
        eq(mails.kind, kind),
        ne(mails.state, 'refused'),
        gt(mails.created_at, sql`now() - interval '60 seconds'`),
      ),
    )
    .orderBy(desc(mails.id))
    .limit(1)
  return recent !== undefined
}
