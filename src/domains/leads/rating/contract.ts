import { z } from 'zod'
import { allowEveryone } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { moneyField, optionalText } from '#contract/fields.ts'
import { agencyBrandSchema } from '#domains/agency/contract.ts'
import { disputeReasons, disputeStates } from '#domains/billing/disputes/labels.ts'
import { leadTypes, notLeadProgress } from '../labels.ts'

const ratedProgressSchema = z.int().min(1).max(5)
const starsSchema = z.enum(['1', '2', '3', '4', '5'])

const disputeAnswerSchema = z.object({
  state: z.enum(disputeStates),
  answer: z.string().nullable(),
  reason: z.enum(disputeReasons).nullable(),
  /** The day by which the agency answers an open one: three working days after it was opened, in the agency's zone. */
  answer_by: z.string().nullable(),
})

/** The 410 of a key whose client no longer has the lead, with the agency's answer to their Not Lead if there is one. */
export const reassignedSchema = z.object({
  dispute: disputeAnswerSchema.pick({ state: true, answer: true }).optional(),
})

/** The lead as the holder of its key reads it: without the agency's columns. */
const ratedLeadSchema = z.object({
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
  /** A URL that plays the recording for ten minutes; null if there is none. */
  recording: z.string().nullable(),
  notes: z.string().nullable(),
  tags: z.array(z.string()),
  progress: ratedProgressSchema.nullable(),
  rating: starsSchema.nullable(),
  /** The star of this mail that was opened a moment ago, which no person has confirmed; null if there is none. */
  earlier_choice: starsSchema.nullable(),
  company_name: z.string().nullable(),
  client_notes: z.string().nullable(),
  value: z.number().nullable(),
  profit: z.number().nullable(),
  /** The client's latest Not Lead on the verified lead, with the agency's answer; omitted if there is none. */
  dispute: disputeAnswerSchema.optional(),
  agency: agencyBrandSchema,
})
export type RatedLead = z.infer<typeof ratedLeadSchema>

export const ratingFormSchema = z
  .object({
    progress: ratedProgressSchema.nullable().optional(),
    /** Why it is not a lead; only with progress 5. */
    reason: z.enum(disputeReasons, 'Please choose a reason from the list').optional(),
    rating: z.preprocess(
      (value) => (typeof value === 'number' ? String(value) : value),
      starsSchema.nullable().optional(),
    ),
    company_name: optionalText().optional(),
    notes: optionalText(10_000).optional(),
    value: moneyField.nullable().optional(),
    profit: moneyField.nullable().optional(),
    /** The page saved automatically when it loaded. A scanner's burst of these is undone. */
    auto: z.boolean().optional(),
    /** A person has seen the page that saved automatically, and kept the star. */
    seen: z.boolean().optional(),
    /** With `seen`: the page was open for a while, and no one has used it. The star counts, but a person has not confirmed it. */
    idle: z.boolean().optional(),
    /** A link that is invisible to people was opened, so by a scanner. */
    trap: z.boolean().optional(),
  })
  .refine(({ progress, reason }) => reason === undefined || progress === notLeadProgress, {
    path: ['reason'],
    error: 'Only a lead marked Not Lead has a reason',
  })
export type RatingFormInput = z.input<typeof ratingFormSchema>

/** Not a plain id, so that any value gets the same response. */
const ratingParams = { leadId: z.string() }
const ratingQuerySchema = z.object({ auth_key: z.string().max(200).optional() })

export const ratingContract = {
  get: endpoint('GET /rate/:leadId', {
    allow: allowEveryone,
    reads: ['lead'],
    description:
      'The lead of an email’s key. Never writes. 410 once the lead belongs to another client, with `dispute` if the agency answered the holder’s Not Lead.',
    params: ratingParams,
    query: ratingQuerySchema,
    response: ratedLeadSchema,
  }),
  save: endpoint('POST /rate/:leadId', {
    allow: allowEveryone,
    changes: ['lead'],
    description:
      'Saves the client’s feedback on one lead, and answers with the dispute that their Not Lead opened or had opened. 410 once the lead belongs to another client.',
    params: ratingParams,
    query: ratingQuerySchema,
    body: ratingFormSchema,
    response: z.object({ message: z.string(), dispute: disputeAnswerSchema.optional() }),
  }),
}
/** The messages of GET and POST rate/{leadId}. */
export const ratingMessages = {
  saved: 'Thank you, your feedback was saved.',
  notFound: 'Lead Not Found',
  reassigned: 'This lead was reassigned',
  denied: 'Access Denied',
  cannotSave: "Can't save lead",
}
