import { writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import { JsonText } from '#core/http/handle.ts'
import { toInstant } from '#core/time/local-time.ts'
import { implementContract } from '#domains/app-context.ts'
import { computeAutoTags, hasSpamTag } from '#domains/leads/intake/server/auto-tags.ts'
import { formLeadDefaults } from '#domains/leads/intake/server/callrail-lead.ts'
import { publishNewLeads } from '#domains/leads/intake/server/create-leads.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { enqueueMail } from '#domains/leads/mail/server/enqueue.ts'
import { refreshDuplicates } from '#domains/leads/model/duplicates.ts'
import { refreshFirstCalls } from '#domains/leads/model/first-call.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { assertProviderIdFree, lockProviderIds } from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { readLeadJson } from '#domains/leads/model/serializer.ts'
import { assertValidReferences } from '#domains/leads/model/update-lead.ts'
import { findSpamSigns } from '#domains/leads/spam/server/spam-match.ts'
import { type LeadForm, leadFormContract } from '../contract.ts'

export const leadFormHandlers = implementContract(leadFormContract, {
  create: async ({ db, me, body, context, actor }) => {
    const zone = context.settings.AGENCY_TIMEZONE
    const json = await runTransaction(db, async (tx) => {
      await lockProviderIds(tx, [body])
      await assertValidReferences(tx, me, { campaign_id: noCampaignId, clientsite_id: null }, body)
      await assertProviderIdFree(tx, body)
      const lead = await insertLead(tx, body, zone)
      if (!lead.hide) await enqueueMail(tx, context, { leadId: lead.id, kind: 'notification', requestedBy: null })
      await publishNewLeads(tx, [lead])
      await writeAudit(tx, actor, {
        kind: 'lead',
        rowId: lead.id,
        before: null,
        after: pickFilledFields(body),
        version: 1,
      })
      return readLeadJson(tx, { me, zone }, lead.id)
    })
    return new JsonText(json)
  },
})

/**
 * The spam lists mean the same here as for what comes in: who is on them is tagged, hidden and not mailed. The tags of calls are
 * left to people, because the dialog asks nothing of how the call went; that somebody took it is all that is taken for granted.
 */
async function insertLead(tx: Tx, { lead_date, lead_time, ...form }: LeadForm, zone: string) {
  const isCall = form.lead_type === 'Call'
  const incoming = {
    ...formLeadDefaults,
    ...form,
    answered: isCall ? true : null,
    occurred_at: toInstant(lead_date, lead_time, zone),
    lead_location: null,
    keywords: null,
    gclid: null,
    tracking_phone_number: null,
    tracking_source: null,
  }
  const phone_key = toPhoneKey(form.lead_phone)
  const signsOf = await findSpamSigns(tx, [{ phoneKey: phone_key, email: form.lead_email }])
  const causes = computeAutoTags(incoming, signsOf(phone_key, form.lead_email), null)
  const tags = causes.map(({ tag }) => tag)
  const [made] = await tx
    .insert(leadsTable)
    .values({ ...incoming, phone_key, tags, tag_causes: causes, hide: hasSpamTag(causes) })
    .returning()
  const lead = made!
  await refreshFirstCalls(tx, lead.campaign_id, lead.phone_key)
  await refreshDuplicates(tx, [lead])
  return lead
}

/** What was not filled in is not in the trail: there a field that somebody wrote is theirs, and no event may fill it any more. */
const pickFilledFields = (form: LeadForm) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null))
