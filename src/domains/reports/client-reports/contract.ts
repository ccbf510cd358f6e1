import { z } from 'zod'
import { adminOnly, allowEveryone, bothRules, mayUsePages, signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { dateField, flagField, idField } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'
import { agencyBrandSchema } from '#domains/agency/contract.ts'
import { decidedDisputeStates } from '#domains/billing/disputes/labels.ts'
import { leadTypes } from '#domains/leads/labels.ts'
import { reportPeriods } from './labels.ts'

const countSchema = z.int().min(0)
const daySchema = z.string()
const instantSchema = z.string()
const spanFields = { from: daySchema, to: daySchema }
const amountSchema = z.number()

/** A lead as its client reads it; `when` is in the client's zone and names it. */
const reportedLeadSchema = z.object({
  id: idField,
  at: instantSchema,
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
})
export type ReportedLead = z.infer<typeof reportedLeadSchema>

const missedCallSchema = z.object({
  id: idField,
  at: instantSchema,
  when: z.string(),
  campaign: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
})
export type ReportedMissedCall = z.infer<typeof missedCallSchema>

/** A Not Lead of the client that the agency decided in the period. */
const reportedDisputeSchema = z.object({
  id: idField,
  lead_id: idField,
  campaign: z.string(),
  /** Null where the client does not see the lead in this campaign anymore; `at` and `when` are the lead's. */
  lead: z.object({ name: z.string().nullable(), at: instantSchema, when: z.string() }).nullable(),
  decided_on: daySchema,
  state: z.enum(decidedDisputeStates),
  answer: z.string(),
})

/** What a client got in a period: computed of its leads and terms. */
export const reportNumbersSchema = z.object({
  client: z.object({ name: z.string(), timezone: z.string(), timezone_name: z.string() }),
  period: z.enum(reportPeriods),
  ...spanFields,
  verified: countSchema,
  missed: countSchema,
  /** Of all campaigns; for a week the part of the cycle's target that a week is. */
  target: z.number(),
  won: countSchema,
  won_value: amountSchema,
  /** In a cycle's report each campaign has the days of its own cycle. */
  campaigns: z.array(
    z.object({ name: z.string(), ...spanFields, verified: countSchema, missed: countSchema, target: z.number() }),
  ),
  weeks: z.array(z.object({ ...spanFields, verified: countSchema, missed: countSchema })),
  sources: z.array(z.object({ source: z.string(), verified: countSchema })),
  /** Those in working hours, the latest first. */
  missed_calls: z.array(missedCallSchema),
  /** The verified ones in order of arrival; the first 1,000 of them. */
  leads: z.array(reportedLeadSchema),
  /** In the order of the decisions. */
  disputes: z.array(reportedDisputeSchema),
  /** Notes of the changelog that the client may read. */
  done: z.array(z.object({ date: daySchema, campaign: z.string(), note: z.string() })),
})
export type ReportNumbers = z.infer<typeof reportNumbersSchema>

export const clientReportSchema = reportNumbersSchema.extend({
  agency: agencyBrandSchema,
  expires_at: instantSchema,
})
export type ClientReport = z.infer<typeof clientReportSchema>

// ——— keys ———

const reportRowSchema = z.object({
  id: idField,
  period: z.enum(reportPeriods),
  ...spanFields,
  created_at: instantSchema,
  /** Who made it; null for one that a schedule sent. */
  created_by: z.string().nullable(),
  expires_at: instantSchema,
  revoked_at: instantSchema.nullable(),
})
export type ReportRow = z.infer<typeof reportRowSchema>

export const newReportSchema = z.strictObject({
  period: z.enum(reportPeriods, 'Please select a period'),
  from: dateField('Please pick a date'),
})

const pagedReports = pagedQuery({
  row: reportRowSchema,
  sorts: ['created_at'],
  sort: 'created_at',
  order: 'desc',
  perPage: 50,
  filters: {},
})
export type ReportListQuery = z.output<typeof pagedReports.query>

const canManageReports = bothRules(adminOnly, mayUsePages('clients'))
const reportKeyParams = { key: z.string().max(100) }

export const clientReportsContract = {
  list: endpoint('GET /client/:id/reports', {
    allow: canManageReports,
    description: 'The reports of a client. Their keys are known only when they are made.',
    ...pagedReports,
  }),
  create: endpoint('POST /client/:id/reports', {
    allow: canManageReports,
    description:
      'Makes a page of the week, month or cycle that holds the day `from`, open to holders of its address for 90 days. `key` and `url` are answered only here.',
    body: newReportSchema,
    response: z.object({
      id: idField,
      key: z.string(),
      url: z.string(),
      period: z.enum(reportPeriods),
      ...spanFields,
      expires_at: instantSchema,
    }),
    success: 'Report was created successfully',
  }),
  revoke: endpoint('DELETE /report/:id', {
    allow: canManageReports,
    description: 'Closes the page of a report.',
    confirm: 'Are you sure to revoke this report? Its link stops working at once.',
    success: 'Report was revoked successfully',
  }),
  read: endpoint('GET /report/:key', {
    allow: allowEveryone,
    description: 'The report that a key opens. An unknown, expired and revoked key are answered alike.',
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
}

// ——— the client's own start page ———

/** A lead that waits for something of the client. */
const openLeadSchema = reportedLeadSchema.pick({
  id: true,
  at: true,
  when: true,
  campaign: true,
  type: true,
  name: true,
  phone: true,
})
export type OpenLead = z.infer<typeof openLeadSchema>

export const clientStartContract = {
  read: endpoint('GET /user/start', {
    allow: signedIn,
    description:
      'What a client starts with: the report of this cycle, the newest leads, and verified leads of the last 90 days without a rating. 404 for others.',
    response: z.object({
      agency: agencyBrandSchema,
      report: reportNumbersSchema,
      newest: z.array(openLeadSchema),
      unrated: z.object({ total: countSchema, leads: z.array(openLeadSchema) }),
    }),
  }),
}

// ——— schedules ———

const hourMessage = 'An hour is 0 to 23'
const scheduleFields = {
  every: z.enum(reportPeriods, 'Please select how often').nullable(),
  /** For a week 0 (Sunday) to 6; for a month its day, past its end the last; for a cycle its day, 1 being the first. */
  day: z.int('A day is a whole number').min(0, 'A day is a whole number').max(31, 'A day is at most 31'),
  /** In the client's zone. */
  hour: z.int(hourMessage).min(0, hourMessage).max(23, hourMessage),
  skip_empty: flagField,
}
export const scheduleFormSchema = z
  .strictObject({
    every: scheduleFields.every,
    day: scheduleFields.day.default(1),
    hour: scheduleFields.hour.default(8),
    skip_empty: scheduleFields.skip_empty.default(0),
  })
  .refine(({ every, day }) => every === null || (every === 'week' ? day <= 6 : day >= 1), {
    path: ['day'],
    error: 'A day is 0 (Sunday) to 6 in a week, and 1 to 31 in a month or cycle',
  })

const reportScheduleSchema = z.object({
  ...scheduleFields,
  /** When the next one goes out; null without a schedule. */
  next_at: instantSchema.nullable(),
  timezone: z.string(),
  /** Where it goes: the client's addresses; none where the client's notifications are disabled. */
  recipients: z.array(z.string()),
})
export type ReportScheduleRow = z.infer<typeof reportScheduleSchema>

const reportEmailSchema = z.object({ subject: z.string(), html: z.string(), text: z.string() })

export const reportScheduleContract = {
  read: endpoint('GET /client/:id/report-schedule', {
    allow: canManageReports,
    description: 'When the client is sent a report by email.',
    response: reportScheduleSchema,
  }),
  update: endpoint('PUT /client/:id/report-schedule', {
    allow: canManageReports,
    description:
      'Changes it. Each email reports the last week, month or cycle that has ended; `skip_empty` leaves out one without leads.',
    body: scheduleFormSchema,
    response: reportScheduleSchema,
    success: 'Schedule was updated successfully',
  }),
  preview: endpoint('GET /client/:id/report-schedule/preview', {
    allow: canManageReports,
    description: 'The email as it would go out now. 409 without a schedule.',
    response: z.object({ ...spanFields, email: reportEmailSchema, report: reportNumbersSchema }),
  }),
  test: endpoint('POST /client/:id/report-schedule/test', {
    allow: canManageReports,
    description: 'Sends that email, with its PDF, to who asks; never to the client. 409 without a schedule.',
    response: z.object({ message: z.string() }),
  }),
  /** What mail programs call when a person unsubscribes (RFC 8058); they send a form. */
  unsubscribe: endpoint('POST /report-unsubscribe/:key', {
    allow: allowEveryone,
    description: 'Ends the schedule that a report email came from.',
    params: reportKeyParams,
    raw: true,
    response: z.object({ message: z.string() }),
  }),
  unsubscribePage: endpoint('GET /report-unsubscribe/:key', {
    allow: allowEveryone,
    description: 'Leads to the page that asks whether to unsubscribe; changes nothing.',
    params: reportKeyParams,
    streams: true,
  }),
}
