import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { type FieldRow, getRowShape } from '#contract/field-definitions.ts'
import { emailField, textField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { pagedFields } from '#contract/paged.ts'
import { countsSchema, erasureFields } from './fields.ts'

export const erasureMessages = {
  nobody: 'Input a phone, an email or both',
  phone: 'Not a phone number',
  email: 'Email is not valid',
  changed: 'Something was added or removed since the preview: press Preview again',
} as const

/** An address that mail cannot be sent to may stand in a lead all the same: josé@sue.example. */
const anyAddress = textField(254).regex(/^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/)

const personShape = {
  phone: textField(40).default(''),
  email: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    z.union([z.literal(''), emailField, anyAddress], erasureMessages.email).default(''),
  ),
}

/** What an erasure would do. */
const rehearsalSchema = z.object({
  counts: countsSchema,
  /** The sum. The erasure sends it back, so that it does what the rehearsal showed. */
  total: z.int().min(0),
  /** The person's leads, the oldest first, at most 50. */
  leads: z.array(z.object({ id: z.int(), campaign: z.string().nullable(), occurred_at: textInstantField })),
  /** Recordings that are stored elsewhere, as at CallRail: only their links are erased here. */
  recordings: z.int(),
  /** Other phones and emails on the same leads. They may belong to the same person, and are erased only on request. */
  also: z.array(z.string()),
})
export type ErasureRehearsal = z.infer<typeof rehearsalSchema>

export type Erasure = FieldRow<typeof erasureFields>

export const erasuresContract = {
  list: endpoint('GET /erasures', {
    allow: superAdminOnly,
    reads: ['erasure'],
    row: 'erasure',
    description: 'The people who were erased: when, by which super admin, how many rows. Not who they were.',
    ...pagedFields(erasureFields, { sort: 'at', order: 'desc', perPage: 50 }),
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
    body: z.object({ ...personShape, total: z.int('Press Preview first').min(0) }),
    response: z.object(getRowShape(erasureFields)),
    reauthenticate: true,
    success: 'The person was erased',
  }),
}
