import { runTransaction } from '#core/db/db.ts'
import { JsonText } from '#core/http/json-text.ts'
import { toInstant } from '#core/time/local-time.ts'
import { implementContract } from '#domains/app-context.ts'
import { announceLeads } from '#domains/leads/intake/server/announce-leads.ts'
import { formLeadDefaults } from '#domains/leads/intake/server/callrail-lead.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import { assertValidReferences } from '#domains/leads/model/edit-lead.ts'
import type { NewLead } from '#domains/leads/model/new-lead-row.ts'
import { providerIdKey, providerIdTakenError } from '#domains/leads/model/provider-ids.ts'
import { readLeadJson } from '#domains/leads/model/serializer.ts'
import { insertLeads } from '#domains/leads/model/store.ts'
import { type LeadForm, leadFormContract } from '../contract.ts'

export const leadFormHandlers = implementContract(leadFormContract, {
  create: async ({ db, me, body: sent, context, actor }) => {
    const body = cleanContact(sent)
    const zone = context.settings.AGENCY_TIMEZONE
    const json = await runTransaction(db, async (tx) => {
      await assertValidReferences(tx, me, { campaign_id: noCampaignId, clientsite_id: null }, body)
      const audit = { actor, after: pickFilledFields(body) }
      const created = await insertLeads(tx, zone, [{ ...toNewLead(body, zone), audit }], (leads) =>
        announceLeads(tx, context, leads),
      )
      const lead = created.get(providerIdKey(body))
      if (!lead) throw providerIdTakenError()
      return readLeadJson(tx, { me, zone }, lead)
    })
    return new JsonText(json)
  },
})

/**
 * The spam lists apply as they do to incoming leads. The dialog does not ask how a call went: it counts as answered, and call
 * tags are left to people.
 */
function toNewLead({ lead_date, lead_time, ...form }: LeadForm, zone: string): NewLead {
  return {
    ...formLeadDefaults,
    ...form,
    answered: form.lead_type === 'Call' ? true : null,
    occurred_at: toInstant(lead_date, lead_time, zone),
    hours: null,
  }
}

/** Leaves empty fields out of the audit log: fields that a person has set there are not filled by later events. */
const pickFilledFields = (form: LeadForm) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null))
