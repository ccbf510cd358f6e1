import { z } from 'zod'
import { adminsWithPages, allowEveryone, signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { dateField, flagField, idField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { pagedQuery } from '#contract/paged.ts'
import { agencyBrandSchema } from '#domains/agency/contract.ts'
import { decidedDisputeStates, disputeReasons } from '#domains/billing/disputes/labels.ts'
import { leadTypes } from '#domains/leads/labels.ts'
import { reportPeriods } from './labels.ts'

const countSchema = z.int().min(0)
const daySchema = z.string()
const spanFields = { from: daySchema, to: daySchema }
const amountSchema = z.number()

/** A lead as its client reads it; `when` is in the client's time zone, with the zone's name. */
const reportedLeadSchema = z.object({
  id: idField,
  at: textInstantField,
  when: z.string(),
  campaign: z.string(),
  type: z.enum(leadTypes),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  location: z.string().nullable(),
  source: z.string().nullable(),
  progress: z.int().nullable(),
  rating: z.int().nullable(),
  value: amountSchema.nullable(),
  /** What they asked, the first 300 characters. */
  message: z.string().nullable(),
  /** The length of a call in seconds. */
  duration: countSchema.nullable(),
  /** The client marked it Not Lead, and the agency has not decided yet. It is counted. */
  under_review: z.boolean(),
})
export type ReportedLead = z.infer<typeof reportedLeadSchema>

const missedCallSchema = z.object({
  id: idField,
  at: textInstantField,
  when: z.string(),
  campaign: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
})

/** A Not Lead of the client that the agency decided in the period. */
const reportedDisputeSchema = z.object({
  id: idField,
  lead_id: idField,
  campaign: z.string(),
  /** Null if the client no longer sees the lead in this campaign; `at` and `when` are the lead's. */
  lead: z.object({ name: z.string().nullable(), at: textInstantField, when: z.string() }).nullable(),
  decided_on: daySchema,
  state: z.enum(decidedDisputeStates),
  answer: z.string(),
})

/** A client's results in a period, computed from its leads and terms. */
const reportNumbersSchema = z.object({
  client: z.object({ name: z.string(), timezone: z.string(), timezone_name: z.string() }),
  period: z.enum(reportPeriods),
  ...spanFields,
  /** The results in a sentence or two: leads against the target and the last period, won jobs and their worth. */
  says: z.string(),
  /** The days are the agency's. */
  days_timezone_name: z.string(),
  verified: countSchema,
  /** In the period before; in as many of its days as have passed of a running one. Null if no campaign had begun. */
  verified_before: countSchema.nullable(),
  /** Verified leads that the client marked Not Lead, and the agency has not decided. */
  under_review: countSchema,
  missed: countSchema,
  /** The sum of the campaigns' targets, each in whole leads and at least one; a week has its share of the cycle's. */
  target: countSchema,
  won: countSchema,
  won_value: amountSchema,
  /** In a cycle's report each campaign has the days of its own cycle. */
  campaigns: z.array(
    z.object({ name: z.string(), ...spanFields, verified: countSchema, missed: countSchema, target: countSchema }),
  ),
  weeks: z.array(z.object({ ...spanFields, verified: countSchema, missed: countSchema })),
  sources: z.array(z.object({ source: z.string(), verified: countSchema })),
  /** Those in working hours, latest first. */
  missed_calls: z.array(missedCallSchema),
  /** Verified leads in order of arrival; the first 1,000. */
  leads: z.array(reportedLeadSchema),
  /** In order of the decisions. */
  disputes: z.array(reportedDisputeSchema),
  /** Notes of the changelog that the client may read. */
  done: z.array(z.object({ date: daySchema, campaign: z.string(), note: z.string() })),
})
export type ReportNumbers = z.infer<typeof reportNumbersSchema>

const clientReportSchema = reportNumbersSchema.extend({
  agency: agencyBrandSchema,
  expires_at: textInstantField,
})
export type ClientReport = z.infer<typeof clientReportSchema>

// ——— keys ———

const reportRowSchema = z.object({
  id: idField,
  period: z.enum(reportPeriods),
  ...spanFields,
  created_at: textInstantField,
  /** Null for a report sent by a schedule. */
  created_by: z.string().nullable(),
  expires_at: textInstantField,
  revoked_at: textInstantField.nullable(),
  /** When a person outside the agency first read it. */
  opened_at: textInstantField.nullable(),
})
export type ReportRow = z.infer<typeof reportRowSchema>

export const newReportSchema = z.strictObject({
  period: z.enum(reportPeriods, 'Please select a period'),
  from: dateField('Please pick a date'),
})

/** Drawn as a plain table of links, so it has no columns (docs/decisions/025-lists-described-once.md). */
const pagedReports = pagedQuery({
  row: reportRowSchema,
  sort: 'created_at',
  order: 'desc',
  perPage: 50,
  filters: {},
})

const canManageReports = adminsWithPages('clients')
const reportKeyParams = { key: z.string().max(100) }

export const clientReportsContract = {
  list: endpoint('GET /client/:id/reports', {
    allow: canManageReports,
    reads: ['client'],
    description: 'The reports of a client. A key is only returned when its report is created.',
    ...pagedReports,
  }),
  create: endpoint('POST /client/:id/reports', {
    allow: canManageReports,
    changes: ['client'],
    newSecret: true,
    description:
      'Creates a page of the week, month or cycle that contains the day `from`. Anyone with its URL can open it for 90 days. `key` and `url` are only returned here.',
    body: newReportSchema,
    response: z.object({
      id: idField,
      key: z.string(),
      url: z.string(),
      period: z.enum(reportPeriods),
      ...spanFields,
      expires_at: textInstantField,
    }),
    success: 'Report was created successfully',
  }),
  revoke: endpoint('DELETE /report/:id', {
    allow: canManageReports,
    changes: ['client'],
    description: 'Closes the page of a report.',
    confirm: 'Are you sure you want to revoke this report? Its link stops working at once.',
    confirmLabel: 'Revoke',
    success: 'Report was revoked successfully',
  }),
  read: endpoint('GET /report/:key', {
    allow: allowEveryone,
    reads: ['client'],
    description: 'The report that a key opens. Unknown, expired and revoked keys get the same answer.',
    params: reportKeyParams,
    response: clientReportSchema,
  }),
  pdf: endpoint('GET /report/:key.pdf', {
    allow: allowEveryone,
    description: 'The same report as a PDF file.',
    params: reportKeyParams,
    file: 'report.pdf',
    streams: true,
  }),
  opened: endpoint('POST /report/:key/opened', {
    allow: allowEveryone,
    changes: ['client'],
    description: 'Says that a person reads it. Users of the agency do not count.',
    params: reportKeyParams,
  }),
}

// ——— the client's own start page ———

/** A lead that needs the client's attention. */
const openLeadSchema = reportedLeadSchema
  .pick({ id: true, at: true, when: true, campaign: true, type: true, name: true, phone: true })
  .extend({
    rating: z.enum(['1', '2', '3', '4', '5']).nullable(),
    progress: z.int().min(1).max(5).nullable(),
  })

/** A Not Lead of the client that the agency has not decided. */
const openDisputeSchema = reportedLeadSchema
  .pick({ id: true, when: true, campaign: true, name: true })
  .extend({ reason: z.enum(disputeReasons).nullable(), answer_by: daySchema })
export type OpenLead = z.infer<typeof openLeadSchema>

/** A statement that was sent to the client, while its link is open. */
const ownStatementSchema = z.object({
  number: z.string().nullable(),
  campaign: z.string(),
  ...spanFields,
  total: amountSchema,
  due_on: daySchema.nullable(),
  paid_on: daySchema.nullable(),
  /** Opens its page; null for an agency user who sees this as the client. */
  key: z.string().nullable(),
})
export type OwnStatement = z.infer<typeof ownStatementSchema>

/** A report that the client may open by its id. `created_on` is the client's day. */
const ownReportSchema = reportRowSchema.pick({ id: true, period: true, from: true, to: true }).extend({
  created_on: daySchema,
})
export type OwnReport = z.infer<typeof ownReportSchema>

export const clientStartContract = {
  read: endpoint('GET /user/start', {
    allow: signedIn,
    reads: ['user'],
    description:
      'The start page of a client: the report of this cycle, in which each campaign has its own days; the newest leads; verified leads of the last 90 days without a rating; disputes that wait for an answer; and the last 12 statements and reports that they may open. 404 for others.',
    response: z.object({
      agency: agencyBrandSchema,
      report: reportNumbersSchema,
      newest: z.array(openLeadSchema),
      unrated: z.object({ total: countSchema, leads: z.array(openLeadSchema) }),
      /** Oldest first. */
      disputes: z.array(openDisputeSchema),
      /** Latest cycle first. */
      statements: z.array(ownStatementSchema),
      /** Newest first. */
      reports: z.array(ownReportSchema),
    }),
  }),
  report: endpoint('GET /user/reports/:id', {
    allow: signedIn,
    reads: ['client'],
    description:
      'A report of the client who is signed in, without its key. 404 for others, and once it has expired or was revoked.',
    response: clientReportSchema,
  }),
  reportPdf: endpoint('GET /user/reports/:id.pdf', {
    allow: signedIn,
    description: 'The same report as a PDF file.',
    file: 'report.pdf',
    streams: true,
  }),
  reportOpened: endpoint('POST /user/reports/:id/opened', {
    allow: signedIn,
    changes: ['client'],
    description: 'Says that the client reads it.',
  }),
}

// ——— schedules ———

const hourMessage = 'The hour must be 0 to 23'
const scheduleFields = {
  every: z.enum(reportPeriods, 'Please select how often').nullable(),
  /** 0 (Sunday) to 6 of a week; the day of a month, clamped to its last; the day of a cycle, from 1. */
  day: z
    .int('The day must be a whole number')
    .min(0, 'The day must be a whole number')
    .max(31, 'The day must be at most 31'),
  /** In the client's time zone. */
  hour: z.int(hourMessage).min(0, hourMessage).max(23, hourMessage),
  skip_empty: flagField,
}
const scheduleFormSchema = z
  .strictObject({
    every: scheduleFields.every,
    day: scheduleFields.day.default(1),
    hour: scheduleFields.hour.default(8),
    skip_empty: scheduleFields.skip_empty.default(0),
    /** The one that the editor read; without it the last write wins. */
    version: z.int().min(0).optional(),
  })
  .refine(({ every, day }) => every === null || (every === 'week' ? day <= 6 : day >= 1), {
    path: ['day'],
    error: 'The day must be 0 (Sunday) to 6 in a week, and 1 to 31 in a month or cycle',
  })

const reportScheduleSchema = z.object({
  ...scheduleFields,
  /** When the next report is sent; null without a schedule, and while the client is switched off. */
  next_at: textInstantField.nullable(),
  timezone: z.string(),
  /** The client's addresses; empty if notifications are disabled or no address is known. */
  recipients: z.array(z.string()),
  /** 0 without a schedule so far. */
  version: z.int(),
})
export type ReportScheduleRow = z.infer<typeof reportScheduleSchema>

const reportEmailSchema = z.object({ subject: z.string(), html: z.string(), text: z.string() })

export const reportScheduleContract = {
  read: endpoint('GET /client/:id/report-schedule', {
    allow: canManageReports,
    reads: ['client'],
    description: 'The client’s schedule of report emails.',
    response: reportScheduleSchema,
  }),
  update: endpoint('PUT /client/:id/report-schedule', {
    allow: canManageReports,
    changes: ['client'],
    description:
      'Changes it. Each email reports the last week, month or cycle that has ended; `skip_empty` leaves out one without leads and decided disputes. Returns 409 with the newer schedule for a version older than the stored one.',
    body: scheduleFormSchema,
    response: reportScheduleSchema,
    conflict: { newer: reportScheduleSchema },
    success: 'Schedule was updated successfully',
  }),
  preview: endpoint('GET /client/:id/report-schedule/preview', {
    allow: canManageReports,
    reads: ['client'],
    description: 'The email as it would be sent now. 409 without a schedule.',
    response: z.object({ ...spanFields, email: reportEmailSchema, report: reportNumbersSchema }),
  }),
  test: endpoint('POST /client/:id/report-schedule/test', {
    allow: canManageReports,
    changes: [],
    description: 'Sends that email, with its PDF, to the caller; never to the client. 409 without a schedule.',
    response: z.object({ message: z.string() }),
  }),
  /** Called by mail clients when the user unsubscribes (RFC 8058); they send a form. */
  unsubscribe: endpoint('POST /report-unsubscribe/:key', {
    allow: allowEveryone,
    changes: ['client'],
    description: 'Ends the schedule that sent a report email.',
    params: reportKeyParams,
    raw: true,
    response: z.object({ message: z.string() }),
  }),
  unsubscribePage: endpoint('GET /report-unsubscribe/:key', {
    allow: allowEveryone,
    description: 'Redirects to the page that confirms the unsubscription; changes nothing.',
    params: reportKeyParams,
    streams: 'redirect',
  }),
}
