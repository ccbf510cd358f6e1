import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { dateField, flagField, idField, moneyField, requiredId, requiredText } from '#contract/fields.ts'
import { byId, bySearch } from '#contract/filter-definitions.ts'

const isEmptyValue = (value: unknown) => value === undefined || value === null || value === ''
const emptyToNull = (value: unknown) => (isEmptyValue(value) ? null : value)
const leadTarget = (sentence: string) =>
  z
    .int({ error: ({ input }) => (isEmptyValue(input) ? sentence : 'Input a number') })
    .min(0, 'Must not be negative')
    .max(1_000_000, 'Too large')
const laterTarget = z.preprocess(emptyToNull, leadTarget('Input a number').nullable())
/** An empty amount is 0. */
const dollarAmount = z.preprocess((value) => emptyToNull(value) ?? 0, moneyField)
const dueDateMessage = 'Please select due date'
/** `5`, `5.` or `5th`. */
const parseDayOfMonth = (cell: string) => Number(cell.replace(/^(\d+)(?:st|nd|rd|th|\.)$/i, '$1'))
const dedupeIds = (ids: number[]) => [...new Set(ids)]

/** A campaign, without its state and working hours, which have separate forms. */
export const campaignFields = defineFields({
  id: { kind: 'count', label: 'NM ID', column: true, row: idField },
  name: {
    kind: 'text',
    label: 'Name',
    row: z.string(),
    form: requiredText('Please input campaign name'),
    width: 'whole',
    column: true,
    sort: true,
    import: { also: ['campaign', 'campaign name'] },
  },
  categories: {
    kind: 'custom',
    label: 'Categories',
    row: z.array(z.object({ id: idField, name: z.string(), color: z.string() })),
    form: z
      .array(idField, 'Please select a category')
      .min(1, 'Please select a category')
      .max(50, 'At most 50 categories')
      .transform(dedupeIds),
    width: 'half',
    column: 'Category',
    sort: 'campaigncategory.name',
    import: { also: ['category', 'campaign category'], about: 'Names or numbers, with semicolons between' },
  },
  client: {
    kind: 'custom',
    label: 'Client',
    row: z.object({ id: idField, name: z.string() }),
    column: true,
    sort: 'client.name',
  },
  client_id: {
    kind: 'custom',
    label: 'Client',
    form: requiredId('Please select a client'),
    width: 'half',
    import: {
      name: 'client',
      also: ['client_id', 'client name'],
      about: 'Name, email of the account, or number',
      isReference: true,
    },
  },
  client_sites: {
    kind: 'custom',
    label: 'Client Sites',
    row: z.array(z.object({ id: idField, url: z.string() })),
    form: z
      .array(idField, 'Not a list of client sites')
      .max(500, 'At most 500 client sites')
      .transform(dedupeIds)
      .default([]),
    width: 'whole',
    column: true,
    sort: true,
  },
  manager: {
    kind: 'text',
    label: 'Manager',
    row: z.string(),
    form: requiredText('Please input manager'),
    width: 'half',
    column: true,
    sort: true,
    import: { also: ['account manager'] },
  },
  start_date: {
    kind: 'date',
    label: 'Start Date',
    row: z.string().nullable(),
    form: dateField('Please pick start date'),
    column: true,
    sort: true,
    import: true,
  },
  /** Day of month on which a billing month starts. */
  due_date: {
    kind: 'count',
    label: 'Due Date',
    row: z.int(),
    form: z.int(dueDateMessage).min(1, dueDateMessage).max(31, dueDateMessage),
    column: true,
    sort: true,
    import: { about: 'Day of the month, 1 to 31', also: ['due day', 'billing day'], parse: parseDayOfMonth },
  },
  current_target: { kind: 'count', label: 'Current Month Target', row: z.int(), column: true, sort: true },
  initial_target: {
    kind: 'count',
    label: 'Initial Target',
    row: z.int(),
    form: leadTarget('Please input initial target'),
    column: true,
    sort: true,
    import: { about: 'Leads a month' },
  },
  month_3_target: {
    kind: 'count',
    label: '3 Month Target',
    row: z.int().nullable(),
    form: laterTarget,
    column: true,
    sort: true,
    import: true,
  },
  month_6_target: {
    kind: 'count',
    label: '6 Month Target',
    row: z.int().nullable(),
    form: laterTarget,
    column: true,
    sort: true,
    import: true,
  },
  month_9_target: {
    kind: 'count',
    label: '9 Month Target',
    row: z.int().nullable(),
    form: laterTarget,
    column: true,
    sort: true,
    import: true,
  },
  month_12_target: {
    kind: 'count',
    label: '12 Month Target',
    row: z.int().nullable(),
    form: laterTarget,
    column: true,
    sort: true,
    import: true,
  },
  service_fee: {
    kind: 'money',
    label: 'Service Fee',
    row: z.number(),
    form: dollarAmount,
    column: true,
    sort: true,
    import: true,
  },
  approved_ppc: {
    kind: 'money',
    label: 'Approved PPC',
    row: z.number(),
    form: dollarAmount,
    column: true,
    sort: true,
    import: true,
  },
  /** Percent of the service fee; null without a fee. */
  ppc: { kind: 'custom', label: 'PPC %', row: z.number().nullable(), column: true, sort: true },
  net: { kind: 'money', label: 'Net', row: z.number(), column: true, sort: true },
  gmbs_count: { kind: 'count', label: 'GMBs count', row: z.int(), column: true, sort: true },
  archived: { kind: 'flag', label: 'Archived', row: flagField },
  fixed_to_top: {
    kind: 'flag',
    label: 'Sticky in changelog',
    row: flagField,
    form: flagField.default(0),
    width: 'whole',
    import: { also: ['fixed to top'] },
  },
  version: { kind: 'count', label: 'Version', row: z.int() },
})

export const campaignFilters = {
  q: bySearch({ label: 'Search by Campaign or Client Name' }),
  campaign_category_id: byId(),
}
