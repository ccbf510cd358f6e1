import { z } from 'zod'
import { allowEveryone } from '#contract/allow.ts'
import { addDays, type CalendarDay, daysBetween } from '#contract/days.ts'
import { endpoint } from '#contract/endpoint.ts'
import { dateField, emailField, flagField, idField, optionalText, queryCheckbox, queryIds } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { secretField } from '#contract/secret-fields.ts'
import { agencyBrandSchema } from '#domains/agency/contract.ts'
import { canManageBilling } from '#domains/campaigns/terms/contract.ts'
import { leadTypes } from '#domains/leads/labels.ts'
import { daysPerCampaign, statementIdField } from './fields.ts'
import { groupKinds, type StatementView, statementStates } from './labels.ts'
import { statementListContract, statementSchema } from './list/contract.ts'

/**
 * A statement's number encodes its campaign and first day, because open statements are computed and have no row. A date
 * field accepts 1900 to 2099, which is fewer than 100,000 days.
 */
export const firstNumberedDay: CalendarDay = '1900-01-01'
export const toStatementId = (campaignId: number, from: CalendarDay) =>
  campaignId * daysPerCampaign + daysBetween(firstNumberedDay, from)
export const parseStatementId = (id: number): { campaignId: number; from: CalendarDay } => ({
  campaignId: Math.floor(id / daysPerCampaign),
  from: addDays(firstNumberedDay, id % daysPerCampaign),
})
const maxStatementId = toStatementId(2_147_483_647, '2099-12-31')

/** A lead of a line, if the reader may see it. */
const statementLeadSchema = z.object({
  id: idField,
  name: z.string().nullable(),
  type: z.enum(leadTypes),
  /** Its day in the agency's zone. */
  date: z.string(),
})

// ——— the document ———

const documentLineSchema = z.object({
  lead_id: idField.nullable(),
  /** As when the statement was sent. */
  name: z.string().nullable(),
  /** The lead's day in the agency's zone. */
  day: z.string().nullable(),
  amount: z.number(),
  because: z.string(),
  /** The number of the statement that the line corrects. */
  refers_to: z.string().nullable(),
})
const documentGroupSchema = z.object({
  kind: z.enum(groupKinds),
  count: z.int(),
  /** Of each line, if all have the same. */
  price: z.number().nullable(),
  amount: z.number(),
  lines: z.array(documentLineSchema),
})
const statementDocumentSchema = z.object({
  /** Null until it is sent, as the two days and the end of the link. */
  number: z.string().nullable(),
  state: z.enum(statementStates),
  client: z.object({ name: z.string() }),
  agency: agencyBrandSchema.extend({ address_lines: z.array(z.string()) }),
  campaign: z.string(),
  from: z.string(),
  to: z.string(),
  /** The zone whose days these are; null if the client's days begin with them. */
  days_timezone_name: z.string().nullable(),
  issued_on: z.string().nullable(),
  due_on: z.string().nullable(),
  groups: z.array(documentGroupSchema),
  total: z.number(),
  expires_at: textInstantField.nullable(),
})
export type StatementDocument = z.infer<typeof statementDocumentSchema>

const statementKeyParams = { key: z.string().max(100) }

/** For who has the link. */
export const statementDocumentContract = {
  read: endpoint('GET /statement/:key', {
    allow: allowEveryone,
    reads: ['statement'],
    description:
      'The sent statement that a key opens, with names as they were when it was sent. Unknown, expired and closed keys get the same answer.',
    params: statementKeyParams,
    response: statementDocumentSchema,
  }),
  pdf: endpoint('GET /statement/:key.pdf', {
    allow: allowEveryone,
    description: 'The same statement as a PDF file.',
    params: statementKeyParams,
    file: 'statement.pdf',
    streams: true,
  }),
  opened: endpoint('POST /statement/:key/opened', {
    allow: allowEveryone,
    changes: ['statement'],
    description: 'Says that a person reads it. Users of the agency do not count.',
    params: statementKeyParams,
  }),
}

// ——— for the agency ———

const statementParams = {
  id: z.coerce.number('Not a statement').pipe(statementIdField.max(maxStatementId, 'Not a statement')),
}

const viewSumSchema = z.object({ count: z.int(), total: z.number() })
const statementSumsSchema = z.object({
  to_send: viewSumSchema,
  sent: viewSumSchema,
  unpaid: viewSumSchema,
} satisfies Record<StatementView, unknown>)
export type StatementSums = z.infer<typeof statementSumsSchema>

const maxRecipients = 20
const recipientsField = z
  .array(emailField, 'Must be a list of emails')
  .min(1, 'Please enter an email')
  .max(maxRecipients, `At most ${maxRecipients} emails`)

const cycleEnds = {
  cycle_ends_from: dateField('Please pick the first day'),
  cycle_ends_before: dateField('Please pick the day after the last one'),
}
const isSpan = ({ cycle_ends_from, cycle_ends_before }: { cycle_ends_from: string; cycle_ends_before: string }) =>
  cycle_ends_from < cycle_ends_before
const spanIssue = {
  path: ['cycle_ends_before'],
  error: 'Must be after the first day',
  when: ({ issues }: { issues: unknown[] }) => issues.length === 0, // of two days
}

const someIds = z.array(idField).min(1, 'At least one id').max(1000, 'At most 1000 ids').optional()
const refusalSchema = z.object({ id: statementIdField, reason: z.string() })
const keyAnswerSchema = z.object({ key: z.string(), url: z.string(), expires_at: textInstantField })

export const statementsContract = {
  ...statementListContract,
  sums: endpoint('GET /statements/sums', {
    allow: canManageBilling,
    reads: ['statement'],
    description:
      'How many statements are to be sent, were sent and are unpaid, with their totals, of the cycles that end within the given days. Statements to send without a line are left out.',
    query: z.object({ ...cycleEnds, campaign_ids: queryIds, client_ids: queryIds }).refine(isSpan, spanIssue),
    response: statementSumsSchema,
  }),
  batch: endpoint('GET /statements/send-batch', {
    allow: canManageBilling,
    reads: ['statement'],
    description:
      'What `POST statements/send-batch` would send now, to which addresses it would email, and what it would refuse. Writes nothing.',
    query: z
      .object({ ...cycleEnds, campaign_ids: queryIds, client_ids: queryIds, mail: queryCheckbox })
      .refine(isSpan, spanIssue),
    response: z.object({
      statements: z.array(
        z.object({
          id: statementIdField,
          client: z.string(),
          campaign: z.string(),
          archived: flagField,
          from: z.string(),
          to: z.string(),
          total: z.number(),
          /** Empty without `mail`. */
          recipients: z.array(z.string()),
        }),
      ),
      total: z.number(),
      refused: z.array(refusalSchema.extend({ client: z.string(), campaign: z.string() })),
    }),
  }),
  sendBatch: endpoint('POST /statements/send-batch', {
    allow: canManageBilling,
    changes: ['statement'],
    description:
      'Sends the statements of all cycles that have ended and whose last day is `cycle_ends_from` or later and before `cycle_ends_before`, each on its own: one that is refused stops none. A cycle without lines is left out. With `campaign_ids` or `client_ids` only theirs are sent.',
    body: z
      .strictObject({ ...cycleEnds, campaign_ids: someIds, client_ids: someIds, mail: flagField })
      .refine(isSpan, spanIssue),
    response: z.object({
      sent: z.array(z.object({ id: statementIdField, number: z.string() })),
      refused: z.array(refusalSchema),
    }),
  }),
  get: endpoint('GET /statements/:id', {
    allow: canManageBilling,
    reads: ['statement'],
    description:
      'One statement, with the leads that its lines name, the document that the client gets, the addresses to which it would be emailed, and those that the last email has not reached.',
    params: statementParams,
    response: statementSchema.extend({
      leads: z.array(statementLeadSchema),
      document: statementDocumentSchema,
      /** Its link is closed for good then. */
      client_removed: flagField,
      /** The billing emails of the client, or else the login’s. */
      recipients: z.array(z.string()),
      /** Of `mailed_to`: whom the last email has not reached, and why; `because` is null if it may have arrived. */
      undelivered: z.array(z.object({ email: z.string(), waits: z.boolean(), because: z.string().nullable() })),
      /** The link of a sent one, while it is open. */
      url: secretField(),
    }),
  }),
  send: endpoint('POST /statements/:id/send', {
    allow: canManageBilling,
    changes: ['statement'],
    newSecret: true,
    description:
      'Freezes the statement of a cycle that has ended, and gives it its number and a link that is open for 400 days. With `mail` the client gets it with its PDF, at the billing emails or else at `to` (at most 20).',
    params: statementParams,
    body: z.preprocess(
      (body) => body ?? {},
      z
        .strictObject({ mail: flagField.default(0), to: recipientsField.optional() })
        .refine(({ mail, to }) => mail === 1 || to === undefined, {
          path: ['to'],
          error: 'Nothing is emailed without `mail`',
        }),
    ),
    response: statementSchema.extend({ key: z.string(), url: z.string() }),
    success: 'Statement was sent',
  }),
  mail: endpoint('POST /statements/:id/mail', {
    allow: canManageBilling,
    changes: ['statement'],
    row: 'statement',
    description: 'Emails a sent statement again, with the same link. 409 while its link is closed.',
    params: statementParams,
    body: z.preprocess((body) => body ?? {}, z.strictObject({ to: recipientsField.optional() })),
    response: statementSchema,
    success: 'Statement was emailed',
  }),
  paid: endpoint('POST /statements/:id/paid', {
    allow: canManageBilling,
    changes: ['statement'],
    row: 'statement',
    description:
      'Says on which day a sent statement was paid, up to today; `on: null` takes it back. Returns 409 with the statement when it is paid on another day than `replaces`.',
    params: statementParams,
    /** `replaces` is the `paid_on` that the person read, null for unpaid; without it the last write wins. */
    body: z.strictObject({
      on: dateField('Please pick the day').nullable(),
      note: optionalText(500).default(null),
      replaces: dateField('Must be a day').nullable().optional(),
    }),
    response: statementSchema,
    conflict: { newer: statementSchema },
    success: 'Statement was updated',
  }),
  newKey: endpoint('POST /statements/:id/key', {
    allow: canManageBilling,
    changes: ['statement'],
    newSecret: true,
    description:
      'Closes the link of a sent statement and makes a new one, open for 400 days. 409 for a client who was removed.',
    params: statementParams,
    response: keyAnswerSchema,
    confirm: 'Are you sure you want a new link? The old one stops working at once.',
    confirmLabel: 'New link',
    success: 'The statement has a new link',
  }),
  closeKey: endpoint('DELETE /statements/:id/key', {
    allow: canManageBilling,
    changes: ['statement'],
    description: 'Closes the link of a sent statement.',
    params: statementParams,
    confirm: 'Are you sure you want to close this link? It stops working at once.',
    confirmLabel: 'Close link',
    success: 'Link was closed',
  }),
}
