import { z } from 'zod'
import { allowEveryone } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { moneyField, optionalText } from '#contract/fields.ts'
import { agencyBrandSchema } from '#domains/agency/contract.ts'
import { disputeStates } from '#domains/billing/disputes/labels.ts'
import { leadTypes } from '../labels.ts'

const ratedProgressSchema = z.int().min(1).max(5)
const starsSchema = z.enum(['1', '2', '3', '4', '5'])

/** What the holder of a lead's key reads: the lead without any of the agency's columns. */
export const ratedLeadSchema = z.object({
  campaign: z.string().nullable(),
  name: z.string().nullable(),
  type: z.enum(leadTypes),
  /** Day and time in the client's zone, and the zone's short name. */
  date: z.string(),
  time: z.string(),
  timezone_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  location: z.string().nullable(),
  message: z.string().nullable(),
  /** An address of ours that plays it for ten minutes; null where there is none to play. */
  recording: z.string().nullable(),
  notes: z.string().nullable(),
  tags: z.array(z.string()),
  progress: ratedProgressSchema.nullable(),
  rating: starsSchema.nullable(),
  company_name: z.string().nullable(),
  client_notes: z.string().nullable(),
  value: z.number().nullable(),
  profit: z.number().nullable(),
  /** What became of the client's latest Not Lead on the verified lead, with the agency's answer; left out without one. */
  dispute: z.object({ state: z.enum(disputeStates), answer: z.string().nullable() }).optional(),
  agency: agencyBrandSchema,
})
export type RatedLead = z.infer<typeof ratedLeadSchema>

export const ratingFormSchema = z.object({
  progress: ratedProgressSchema.nullable().optional(),
  rating: z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : value),
    starsSchema.nullable().optional(),
  ),
  company_name: optionalText().optional(),
  notes: optionalText(10_000).optional(),
  value: moneyField.nullable().optional(),
  profit: moneyField.nullable().optional(),
  /** The page saved by itself as it loaded. A scanner's burst of these is undone. */
  auto: z.boolean().optional(),
  /** The page that saved by itself is in front of a person, who let the star stand. */
  seen: z.boolean().optional(),
  /** A link that no person can see was opened: whoever did is a scanner. */
  trap: z.boolean().optional(),
})
export type RatingFormInput = z.input<typeof ratingFormSchema>

/** Not a plain id, so that whatever stands there is answered with the same words. */
const ratingParams = { leadId: z.string() }
const ratingQuerySchema = z.object({ auth_key: z.string().max(200).optional() })

export const ratingContract = {
  get: endpoint('GET /rate/:leadId', {
    allow: allowEveryone,
    description: 'The lead that a mail’s key opens. Never writes.',
    params: ratingParams,
    query: ratingQuerySchema,
    response: ratedLeadSchema,
  }),
  save: endpoint('POST /rate/:leadId', {
    allow: allowEveryone,
    description: 'Saves the client’s feedback on one lead.',
    params: ratingParams,
    query: ratingQuerySchema,
    body: ratingFormSchema,
    response: z.object({ message: z.string() }),
  }),
}
/** The words of GET and POST rate/{leadId}. */
export const ratingMessages = {
  saved: 'Thank you, your feedback was saved.',
  notFound: 'Lead Not Found',
  denied: 'Access Denied',
  cannotSave: "Can't save lead",
}
