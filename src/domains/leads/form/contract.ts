import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getFormShape } from '#contract/field-definitions.ts'
import { requiredId, versionField } from '#contract/fields.ts'
import { leadSchema } from '../contract.ts'
import { leadDialogFields } from '../fields.ts'
import { clientSiteRequired } from '../labels.ts'

const canManageLeads = adminsWithPages('leads')

const leadDialogSchemas = getFormShape(leadDialogFields)

/** The body that the dialog sends. Fields with a default may be left out. */
const leadFormSchema = z.strictObject({
  ...leadDialogSchemas,
  clientsite_id: requiredId(clientSiteRequired),
  lead_s: leadDialogSchemas.lead_s.default('Callrail'),
  lead_name: leadDialogSchemas.lead_name.default(null),
  lead_email: leadDialogSchemas.lead_email.default(null),
  lead_phone: leadDialogSchemas.lead_phone.default(null),
  message: leadDialogSchemas.message.default(null),
  source: leadDialogSchemas.source.default(null),
  last_url: leadDialogSchemas.last_url.default(null),
  referrer: leadDialogSchemas.referrer.default(null),
  notify: leadDialogSchemas.notify.default(true),
})
export type LeadForm = z.output<typeof leadFormSchema>

export const leadFormContract = {
  create: endpoint('POST /lead/create', {
    allow: canManageLeads,
    changes: ['lead'],
    row: 'lead',
    description:
      'Adds a lead by hand. The spam lists apply as they do to incoming leads; the client is emailed unless `notify` is off.',
    body: leadFormSchema,
    response: leadSchema,
    success: 'Lead was created successfully',
  }),
}

/**
 * PUT /lead/:id as the same dialog sends it: the whole form, with the version that was opened, so that a field that someone
 * else has changed in the meantime gets 409.
 */
export const editLeadEndpoint = endpoint('PUT /lead/:id', {
  allow: canManageLeads,
  changes: ['lead'],
  row: 'lead',
  body: leadFormSchema.extend({ clientsite_id: leadDialogSchemas.clientsite_id, version: versionField }),
  response: leadSchema,
  conflict: { lead: leadSchema },
  success: 'Lead was changed successfully',
})
