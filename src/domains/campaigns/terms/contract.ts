import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { dateField, moneyField, versionField } from '#contract/fields.ts'
import { defaultDisputeDays, termsKinds } from './labels.ts'

/** For terms, statements and disputes alike. */
export const canManageBilling = adminsWithPages('campaigns')

const countField = (max: number) => z.int('Input a number').min(0, 'Must not be negative').max(max, 'Too large')

/** The price of a campaign from one day to another, both included. Money is in dollars. */
export const billingTermsSchema = z.strictObject({
  from: dateField('Please pick the first day'),
  /** Null for an open end. */
  to: dateField('Not a date (yyyy-MM-dd)').nullable().default(null),
  kind: z.enum(termsKinds, 'Please select a kind'),
  /** For `flat` and `flat_plus`. */
  fee: moneyField.default(0),
  /** For `per_lead` and `flat_plus`, by type of lead. */
  prices: z.strictObject({ Form: moneyField.default(0), Call: moneyField.default(0) }).default({ Form: 0, Call: 0 }),
  /** Verified leads that the fee of `flat_plus` covers. */
  included: countField(1_000_000).default(0),
  /** The maximum for fee and leads in a cycle. */
  cap: moneyField.nullable().default(null),
  /** Days after the lead's own during which the client may dispute it. */
  dispute_days: countField(3650).default(defaultDisputeDays),
})
export type BillingTerms = z.output<typeof billingTermsSchema>

const termsListField = z
  .array(billingTermsSchema)
  .max(100, 'At most 100 terms')
  .superRefine((terms, check) => {
    for (const [index, { from, to }] of terms.entries()) {
      if (to !== null && to < from)
        check.addIssue({ code: 'custom', path: [index, 'to'], message: 'Must not be before the first day' })
      const other = terms.slice(0, index).find((one) => doSpansOverlap(one, { from, to }))
      if (other)
        check.addIssue({
          code: 'custom',
          path: [index, 'from'],
          message: `Overlaps the terms that start on ${other.from}`,
        })
    }
  })

type Span = Pick<BillingTerms, 'from' | 'to'>
const doSpansOverlap = (a: Span, b: Span) => (a.to === null || b.from <= a.to) && (b.to === null || a.from <= b.to)

const campaignTermsSchema = z.object({
  terms: z.array(billingTermsSchema),
  version: z.int(),
  /** The fee of each cycle without terms. */
  service_fee: z.number(),
})
export type CampaignTerms = z.output<typeof campaignTermsSchema>
export type StoredTerms = Omit<CampaignTerms, 'service_fee'>

export const termsContract = {
  read: endpoint('GET /campaign/:id/terms', {
    allow: canManageBilling,
    reads: ['campaign'],
    description: 'What the campaign costs, oldest first. Without terms it is a flat fee: the service fee.',
    response: campaignTermsSchema,
  }),
  save: endpoint('PUT /campaign/:id/terms', {
    allow: canManageBilling,
    changes: ['campaign', 'statement'],
    description:
      'Replaces all terms. The terms of a cycle’s first day, or of the campaign’s if that is later, apply to all of it; a sent statement keeps its own. If another person has saved terms since the `version` that was read, returns 409 with the newer ones.',
    body: z.strictObject({ terms: termsListField, version: versionField }),
    response: campaignTermsSchema,
    conflict: { terms: campaignTermsSchema },
    success: 'Campaign terms saved successfully',
  }),
}
