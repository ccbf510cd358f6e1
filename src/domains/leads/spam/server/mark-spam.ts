import { inArray, or, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { JsonText } from '#core/http/handle.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { cancelWaitingMails, requeueMails } from '#domains/leads/mail/server/cancel.ts'
import { type StoredLead, toLeadDto } from '#domains/leads/model/dto.ts'
import type { SpamMark } from '#domains/leads/model/schema.ts'
import { readLeadJson } from '#domains/leads/model/serializer.ts'
import { type LockedLead, lockLead, updateLead } from '#domains/leads/model/store.ts'
import { canSeeLead } from '#domains/leads/model/visibility.ts'
import { leadSpamContract } from '../contract.ts'
import { spammersTable } from '../schema.ts'
import { removeSpammer } from './handlers.ts'

export const leadSpamHandlers = implementContract(leadSpamContract, {
  mark: (call) =>
    changeLead(call, async (tx, lead) => {
      const { row } = lead
      const mark: SpamMark = row.spam_mark ?? { tagged: false, hid: false, mails: [], spammers: [] }
      const isTagged = row.tags.includes('Spam')
      const mails = await cancelWaitingMails(tx, call.actor, row)
      const spammers = call.body.spammer ? await addSpammer(tx, call.actor, row) : []
      return {
        tags: isTagged ? row.tags : [...row.tags, 'Spam'],
        hide: true,
        spam_mark: {
          tagged: mark.tagged || !isTagged,
          hid: mark.hid || !row.hide,
          mails: [...mark.mails, ...mails],
          spammers: [...mark.spammers, ...spammers],
        },
      }
    }),

  unmark: (call) =>
    changeLead(call, async (tx, { row }) => {
      const mark = row.spam_mark
      if (!mark) return {}
      await requeueMails(tx, call.context, call.actor, row, mark.mails)
      for (const id of mark.spammers) await removeSpammer(tx, call.actor, id)
      return {
        tags: mark.tagged ? row.tags.filter((tag) => tag !== 'Spam') : row.tags,
        hide: mark.hid ? false : row.hide,
        spam_mark: null,
      }
    }),
})

type LeadCall = Pick<EndpointCall<typeof leadSpamContract.unmark>, 'db' | 'me' | 'context' | 'actor' | 'params'>

/** Changes a lead that the caller may see, in one transaction, and answers it. What is so already is not written. */
function changeLead(
  { db, me, context, actor, params }: LeadCall,
  change: (tx: Tx, lead: LockedLead) => Promise<Partial<StoredLead>>,
): Promise<JsonText> {
  const zone = context.settings.AGENCY_TIMEZONE
  return runTransaction(db, async (tx) => {
    const lead = await lockLead(tx, params.id)
    if (!lead || !canSeeLead(me, lead.row)) throw notFoundError()
    const set = await change(tx, lead)
    const changed = { ...lead.row, ...set }
    if (JSON.stringify(changed) !== JSON.stringify(lead.row))
      await updateLead(tx, lead, { actor, set, before: toLeadDto(lead.row, zone), after: toLeadDto(changed, zone) })
    return new JsonText(await readLeadJson(tx, { me, zone }, params.id))
  })
}

/** Adds what is not known yet of phone and email, as one spammer. Returns the ids of what it added. */
async function addSpammer(tx: Tx, actor: AuditActor, lead: StoredLead): Promise<number[]> {
  const known = await tx
    .select({ phone_key: spammersTable.phone_key, email: sql<string | null>`lower(${spammersTable.email})` })
    .from(spammersTable)
    .where(
      or(
        inArray(spammersTable.phone_key, lead.phone_key === null ? [] : [lead.phone_key]),
        inArray(sql`lower(${spammersTable.email})`, lead.email_key === null ? [] : [lead.email_key]),
      ),
    )
  const isNewPhone = lead.phone_key !== null && !known.some(({ phone_key }) => phone_key === lead.phone_key)
  const isNewEmail = lead.email_key !== null && !known.some(({ email }) => email === lead.email_key)
  if (!isNewPhone && !isNewEmail) return []
  const added = {
    name: lead.lead_name ?? lead.lead_phone ?? lead.lead_email ?? '',
    phone: isNewPhone ? lead.lead_phone : null,
    email: isNewEmail ? lead.lead_email : null,
  }
  const [spammer] = await tx
    .insert(spammersTable)
    .values({ ...added, phone_key: isNewPhone ? lead.phone_key : null, created_by: actor.me?.id ?? null })
    .returning({ id: spammersTable.id })
  await writeAudit(tx, actor, { kind: 'spammer', rowId: spammer!.id, before: null, after: added })
  return [spammer!.id]
}
