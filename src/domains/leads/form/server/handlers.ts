import { record } from '#core/audit/write-audit.ts'
import { type Tx, transaction } from '#core/db/db.ts'
import { implement, JsonText } from '#core/http/handle.ts'
import { instantOf } from '#core/time/local-time.ts'
import { autoTags, isSpam } from '#domains/leads/intake/server/auto-tags.ts'
import { notACall } from '#domains/leads/intake/server/callrail-lead.ts'
import { tellOf } from '#domains/leads/intake/server/create-leads.ts'
import { noCampaign } from '#domains/leads/labels.ts'
import { enqueueMail } from '#domains/leads/mail/server/enqueue.ts'
import { refreshShared } from '#domains/leads/model/duplicates.ts'
import { refreshFirstCalls } from '#domains/leads/model/first-call.ts'
import { phoneKey } from '#domains/leads/model/phone-key.ts'
import { holdNames, refuseTaken } from '#domains/leads/model/provider-ids.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { leadJson } from '#domains/leads/model/serializer.ts'
import { checkReferences } from '#domains/leads/model/update-lead.ts'
import { spamSigns } from '#domains/leads/spam/server/spam-match.ts'
import { adding as contract, type LeadForm } from '../contract.ts'

export const addingCalls = implement(contract, {
  create: async ({ db, me, body, house, actor }) => {
    const zone = house.settings.AGENCY_TIMEZONE
    const json = await transaction(db, async (tx) => {
      await holdNames(tx, [body])
      await checkReferences(tx, me, { campaign_id: noCampaign, clientsite_id: null }, body)
      await refuseTaken(tx, body)
      const lead = await add(tx, body, zone)
      if (!lead.hide) await enqueueMail(tx, house, { leadId: lead.id, kind: 'notification', requestedBy: null })
      await tellOf(tx, [lead])
      await record(tx, actor, { kind: 'lead', rowId: lead.id, before: null, after: given(body), version: 1 })
      return leadJson(tx, { me, zone }, lead.id)
    })
    return new JsonText(json)
  },
})

/**
 * The spam lists mean the same here as for what comes in: who is on them is tagged, hidden and not mailed. The tags of calls are
 * left to people, because the dialog asks nothing of how the call went; that somebody took it is all that is taken for granted.
 */
async function add(tx: Tx, { lead_date, lead_time, ...form }: LeadForm, zone: string) {
  const isCall = form.lead_type === 'Call'
  const incoming = {
    ...notACall,
    ...form,
    answered: isCall ? true : null,
    occurred_at: instantOf(lead_date, lead_time, zone),
    lead_location: null,
    keywords: null,
    gclid: null,
    tracking_phone_number: null,
    tracking_source: null,
  }
  const phone_key = phoneKey(form.lead_phone)
  const signsOf = await spamSigns(tx, [{ phoneKey: phone_key, email: form.lead_email }])
  const causes = autoTags(incoming, signsOf(phone_key, form.lead_email), null)
  const tags = causes.map(({ tag }) => tag)
  const [made] = await tx
    .insert(leads)
    .values({ ...incoming, phone_key, tags, tag_causes: causes, hide: isSpam(causes) })
    .returning()
  const lead = made!
  await refreshFirstCalls(tx, lead.campaign_id, lead.phone_key)
  await refreshShared(tx, [lead])
  return lead
}

/** What was not filled in is not in the trail: there a field that somebody wrote is theirs, and no event may fill it any more. */
const given = (form: LeadForm) => Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null))
