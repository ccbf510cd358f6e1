import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { lead } from '../contract.ts'
import { dialog } from '../editable-fields.ts'

const runsLeads = both(admin, may('leads'))

/** What the dialog asks. Only what it refuses to do without must be there. */
export const leadForm = z.strictObject({
  ...dialog,
  lead_s: dialog.lead_s.default('Callrail'),
  lead_name: dialog.lead_name.default(null),
  lead_email: dialog.lead_email.default(null),
  lead_phone: dialog.lead_phone.default(null),
  message: dialog.message.default(null),
  source: dialog.source.default(null),
  last_url: dialog.last_url.default(null),
  referrer: dialog.referrer.default(null),
  notify: dialog.notify.default(true),
})
export type LeadForm = z.output<typeof leadForm>

export const adding = {
  create: endpoint('POST /lead/create', {
    allow: runsLeads,
    about:
      'Adds a lead by hand. The spam lists mark it as they mark one that comes in; it is mailed to the client unless `notify` is off.',
    body: leadForm,
    answers: lead,
    says: 'Lead was created successfully',
  }),
}

/**
 * PUT /lead/:id as the same dialog sends it: the whole form, with the version that was opened, so that a field which somebody
 * else has changed meanwhile answers 409.
 */
export const editLead = endpoint('PUT /lead/:id', {
  allow: runsLeads,
  body: leadForm.extend({ version: z.int().min(1).optional() }),
  answers: lead,
  says: 'Lead was changed successfully',
})
