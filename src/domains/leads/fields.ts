import { z } from 'zod'
import { adminOnly, adminsWithPages, bothRules, mayUsePages } from '#contract/allow.ts'
import { type ColumnField, defineFields, getColumnTitle, type NamesWith } from '#contract/field-definitions.ts'
import {
  booleanField,
  dateField,
  flagField,
  idField,
  moneyField,
  optionalText,
  requiredId,
  requiredText,
  timeField,
} from '#contract/fields.ts'
import { isWholePhone, shortenedPhone } from '#contract/read-phone.ts'
import {
  answeringStatuses,
  clientSiteRequired,
  leadProviders,
  leadTags,
  leadTypes,
  mailKinds,
  mailStates,
  progressLabels,
  ratingOrigins,
} from './labels.ts'

const seesHttpColumns = mayUsePages('show_lead_http_columns')
const adminWithHttpColumns = bothRules(adminOnly, seesHttpColumns)
const canEditLeads = adminsWithPages('leads')
/** A field of the Edit Lead dialog. */
const inDialog = { writableBy: canEditLeads, dialog: true } as const

const nullableText = z.string().nullable()
const progressSchema = z.int().min(1).max(5).nullable()
const ratingSchema = z.enum(['1', '2', '3', '4', '5']).nullable()
const tagNamesSchema = z
  .array(z.object({ name: z.enum(leadTags) }))
  .transform((list) => [...new Set(list.map((tag) => tag.name))])
const toChoices = (values: readonly string[]) => Object.fromEntries(values.map((value) => [value, value]))

/** What an ad platform adds to the address of a visit. The column of `gclid` shows the others too. */
const clickIdField = <Label extends string>(label: Label) =>
  ({ kind: 'text', label, row: nullableText.optional(), readableBy: adminWithHttpColumns }) as const

/**
 * The fields of a lead, in the column order that the table, the column chooser and the export share. `form` is what a change
 * may set, in the row or in the Edit Lead dialog; `dialog` marks the fields of the dialog. A field that not everyone may read
 * is optional, because it is left out of their rows.
 */
export const leadFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  campaign_id: {
    kind: 'custom',
    label: 'Campaign',
    row: idField.nullable(),
    form: requiredId('Please select campaign'),
    ...inDialog,
  },
  campaign_name: { kind: 'text', label: 'Campaign', row: nullableText, column: true, sort: true },
  campaign: { kind: 'custom', label: 'Campaign', row: z.object({ id: idField, name: z.string() }).nullable() },
  clientsite_id: {
    kind: 'custom',
    label: 'Client Site',
    row: idField.nullable(),
    form: requiredId(clientSiteRequired).nullable(), // required only for a new lead
    ...inDialog,
  },
  /** Day and time are in the agency's time zone. */
  lead_date: {
    kind: 'date',
    label: 'Lead Date',
    row: z.string(),
    form: dateField('Please select lead date'),
    column: 'Date',
    sort: true,
    ...inDialog,
  },
  lead_time: {
    kind: 'custom',
    label: 'Lead Time',
    row: z.string(),
    form: timeField('Please select lead time'),
    ...inDialog,
  },
  lead_type: {
    kind: 'choice',
    label: 'Lead Type',
    row: z.enum(leadTypes),
    form: z.enum(leadTypes, 'Please select lead type'),
    choices: toChoices(leadTypes),
    column: 'Type',
    sort: true,
    ...inDialog,
  },
  lead_s: {
    kind: 'choice',
    label: 'Lead Source',
    row: z.enum(leadProviders),
    form: z.enum(leadProviders),
    choices: toChoices(leadProviders),
    ...inDialog,
  },
  lead_id: {
    kind: 'text',
    label: 'Callrail Lead ID',
    row: z.string(),
    form: requiredText('Please insert callrail lead id', 200),
    ...inDialog,
  },
  tracking_phone_number: {
    kind: 'phone',
    label: 'Tracking Phone',
    row: nullableText.optional(),
    column: true,
    readableBy: adminOnly,
  },
  tracking_source: {
    kind: 'text',
    label: 'Tracking Source',
    row: nullableText.optional(),
    column: true,
    readableBy: adminOnly,
  },
  lead_name: {
    kind: 'text',
    label: 'Name',
    row: nullableText,
    form: optionalText(),
    column: true,
    sort: true,
    ...inDialog,
  },
  lead_location: { kind: 'text', label: 'Location', row: nullableText, column: true, sort: true },
  lead_email: {
    kind: 'text',
    label: 'Email',
    row: nullableText,
    form: optionalText(254),
    column: true,
    sort: true,
    ...inDialog,
  },
  lead_phone: {
    kind: 'phone',
    label: 'Phone',
    row: nullableText,
    form: optionalText(50).refine(isWholePhone, shortenedPhone),
    column: true,
    sort: true,
    ...inDialog,
  },
  /** The column shows a call's recording, so it sorts by duration. */
  message: {
    kind: 'longText',
    label: 'Message',
    row: nullableText,
    form: optionalText(20_000),
    column: true,
    sort: 'duration',
    ...inDialog,
  },
  /** Seconds. */
  duration: { kind: 'count', label: 'Duration', row: z.int().nullable() },
  /** m:ss, or h:mm:ss for an hour and longer. */
  duration_formatted: { kind: 'custom', label: 'Duration', row: nullableText },
  answered: { kind: 'custom', label: 'Answered', row: z.boolean().nullable() },
  answering_status: { kind: 'text', label: 'Answering Status', row: z.enum(answeringStatuses).nullable() },
  /** Whether there is a recording; its URL never leaves the server. */
  recording: { kind: 'custom', label: 'Recording', row: z.boolean() },
  related: { kind: 'custom', label: 'Related', column: true },
  has_related: { kind: 'custom', label: 'Related', row: z.boolean() },
  notes: {
    kind: 'longText',
    label: 'Notes',
    row: nullableText,
    form: optionalText(10_000),
    column: true,
    writableBy: adminOnly,
  },
  tags: {
    kind: 'custom',
    label: 'Tags',
    row: z.array(z.object({ name: z.enum(leadTags), because: z.string().optional() })).optional(),
    form: tagNamesSchema,
    column: true,
    readableBy: seesHttpColumns,
    writableBy: bothRules(canEditLeads, seesHttpColumns),
  },
  confirmed: {
    kind: 'flag',
    label: 'Verified',
    row: flagField,
    form: flagField,
    column: true,
    sort: true,
    writableBy: adminOnly,
  },
  changers: {
    kind: 'custom',
    label: 'Changers',
    /** `before_the_move`: they changed it in the system that it was moved from. */
    row: z.array(z.object({ username: z.string(), before_the_move: z.literal(true).optional() })).optional(),
    column: true,
    readableBy: adminWithHttpColumns,
  },
  client_progress: {
    kind: 'choice',
    label: 'Progress',
    row: progressSchema,
    form: progressSchema,
    choices: progressLabels,
    column: true,
    sort: true,
  },
  company_name: { kind: 'text', label: 'Company Name', row: nullableText, form: optionalText(), column: true },
  client_notes: {
    kind: 'longText',
    label: 'Client Notes',
    row: nullableText,
    form: optionalText(10_000),
    column: true,
  },
  client_value: {
    kind: 'money',
    label: 'Value',
    row: z.number().nullable(),
    form: moneyField.nullable(),
    column: true,
    sort: true,
  },
  client_profit: {
    kind: 'money',
    label: 'Profit',
    row: z.number().nullable(),
    form: moneyField.nullable(),
    column: true,
    sort: true,
  },
  rating: { kind: 'text', label: 'Rating', row: ratingSchema, form: ratingSchema, column: true, sort: true },
  rating_via: { kind: 'text', label: 'Rated', row: z.enum(ratingOrigins).nullable() },
  rating_unconfirmed: { kind: 'flag', label: 'Rating not confirmed', row: flagField },
  last_url: {
    kind: 'text',
    label: 'Last URL',
    row: nullableText.optional(),
    form: optionalText(2048),
    column: 'URL',
    readableBy: adminWithHttpColumns,
    ...inDialog,
  },
  referrer: {
    kind: 'text',
    label: 'Referrer',
    row: nullableText.optional(),
    form: optionalText(2048),
    column: true,
    readableBy: adminWithHttpColumns,
    ...inDialog,
  },
  source: {
    kind: 'text',
    label: 'Source',
    row: nullableText.optional(),
    form: optionalText(),
    column: true,
    sort: true,
    readableBy: adminWithHttpColumns,
    ...inDialog,
  },
  /** What was stated as the source, if a click id or UTM is of another platform. */
  source_stated: {
    kind: 'text',
    label: 'Stated Source',
    row: nullableText.optional(),
    readableBy: adminWithHttpColumns,
  },
  keywords: {
    kind: 'text',
    label: 'Keyword',
    row: nullableText.optional(),
    column: true,
    readableBy: adminWithHttpColumns,
  },
  gclid: { ...clickIdField('gclid'), column: true },
  gbraid: clickIdField('gbraid'),
  wbraid: clickIdField('wbraid'),
  msclkid: clickIdField('msclkid'),
  fbclid: clickIdField('fbclid'),
  hide: {
    kind: 'flag',
    label: 'Is Hidden',
    row: flagField.optional(),
    form: flagField,
    column: true,
    readableBy: adminOnly,
    writableBy: adminOnly,
  },
  /** Null for a caller whose number is withheld: they may have called before. */
  first_call: { kind: 'custom', label: 'First Call', row: z.boolean().nullable() },
  /** Tagged as a missed call. The row is highlighted for everyone, including people who may not read tags. */
  missed_call: { kind: 'custom', label: 'Missed Call', row: z.boolean() },
  notify: {
    kind: 'custom',
    label: 'Notify',
    row: z.boolean(),
    form: booleanField,
    ...inDialog,
  },
  archived: { kind: 'flag', label: 'Archived', row: flagField },
  version: { kind: 'count', label: 'Version', row: z.int() },
  /** The latest email; `at` (ISO 8601) is when it was sent, or else when it was created. */
  mail: {
    kind: 'custom',
    label: 'Latest email',
    row: z
      .object({ kind: z.enum(mailKinds), state: z.enum(mailStates), at: z.string(), error: z.string().optional() })
      .nullish(),
    readableBy: adminOnly,
  },
  action: { kind: 'custom', label: 'Action', column: true },
})

type LeadFields = typeof leadFields
export type LeadColumn = ColumnField<LeadFields>
// Object.entries widens the names; the condition matches the type.
export const leadColumns = Object.entries(leadFields).flatMap(([name, field]) =>
  'column' in field ? [name] : [],
) as LeadColumn[]
/** Hidden until a person chooses, because the pane shows them. */
export const startHiddenColumns: readonly LeadColumn[] = [
  'tracking_phone_number',
  'tracking_source',
  'lead_location',
  'lead_email',
  'related',
  'notes',
  'changers',
]

const queueColumns: readonly LeadColumn[] = [
  'campaign_name',
  'lead_date',
  'lead_type',
  'lead_name',
  'lead_phone',
  'message',
  'tags',
  'confirmed',
  'client_progress',
]
/** A queue shows what a verdict needs, without scrolling sideways, until a person chooses. */
export const queueHiddenColumns: readonly LeadColumn[] = leadColumns.filter((name) => !queueColumns.includes(name))

export const leadColumnTitles = Object.fromEntries(
  leadColumns.map((name) => [name, getColumnTitle(leadFields[name])]),
) as Record<LeadColumn, string>

type DialogField = NamesWith<LeadFields, { dialog: true }>
/** The fields of the Edit Lead dialog. */
export const leadDialogFields = Object.fromEntries(
  Object.entries(leadFields).filter(([, field]) => 'dialog' in field),
) as Pick<LeadFields, DialogField>
