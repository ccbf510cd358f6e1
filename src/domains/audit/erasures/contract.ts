import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { textField } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'

export const erasureMessages = {
  nobody: 'Input a phone, an email or both',
  phone: 'Not a phone number',
  email: 'Email is not valid',
  changed: 'Something was added or removed since the rehearsal: rehearse it again',
} as const

const personShape = {
  phone: textField(40).default(''),
  email: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    z.union([z.literal(''), z.email(erasureMessages.email).max(254)], erasureMessages.email).default(''),
  ),
}

/** Row counts by label. */
const countsSchema = z.array(z.object({ label: z.string(), rows: z.int().min(0) }))

/** What an erasure would do. */
const rehearsalSchema = z.object({
  counts: countsSchema,
  /** The sum. The erasure sends it back, so that it does what the rehearsal showed. */
  total: z.int().min(0),
  /** The person's leads, the oldest first, at most 50. */
  leads: z.array(z.object({ id: z.int(), campaign: z.string().nullable(), occurred_at: z.string() })),
  /** Recordings that CallRail still has: only their links are erased here. */
  recordings: z.int(),
  /** Other phones and emails on the same leads. They may belong to the same person, and are erased only on request. */
  also: z.array(z.string()),
})
export type ErasureRehearsal = z.infer<typeof rehearsalSchema>

const erasureSchema = z.object({
  id: z.int(),
  at: z.string(),
  username: z.string().nullable(),
  counts: countsSchema,
})
export type Erasure = z.infer<typeof erasureSchema>

export const erasuresContract = {
  list: endpoint('GET /erasures', {
    allow: superAdminOnly,
    reads: ['erasure'],
    row: 'erasure',
    description: 'The people who were erased: when, by which super admin, how many rows. Not who they were.',
    ...pagedQuery({ row: erasureSchema, sorts: ['at'], sort: 'at', order: 'desc', perPage: 50, filters: {} }),
  }),
  rehearse: endpoint('POST /erasures/rehearse', {
    allow: superAdminOnly,
    changes: [],
    description: 'What erasing a person would remove, and from where. Nothing is changed.',
    body: z.object(personShape),
    response: rehearsalSchema,
  }),
  erase: endpoint('POST /erasures', {
    allow: superAdminOnly,
    changes: ['erasure'],
    row: 'erasure',
    description:
      'Erases a person by phone and email, as rehearsed: `total` is that of the rehearsal. 409 if it has changed.',
    body: z.object({ ...personShape, total: z.int('Rehearse it first').min(0) }),
    response: erasureSchema,
    reauthenticate: true,
    success: 'The person was erased',
  }),
}
