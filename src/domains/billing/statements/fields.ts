import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { flagField, idField, queryAnyOf, queryDate } from '#contract/fields.ts'
import { byAnyOf, byIds, byQuery } from '#contract/filter-definitions.ts'
import { textInstantField } from '#contract/instants.ts'
import { lineKinds, statementStates } from './labels.ts'

/** The lowest id; see `toStatementId`. */
export const daysPerCampaign = 100_000
export const statementIdField = z.int('Not a statement').min(daysPerCampaign, 'Not a statement')

const statementLineSchema = z.object({
  kind: z.enum(lineKinds),
  lead_id: idField.nullable(),
  /** Dollars, to the cent. */
  amount: z.number(),
  because: z.string(),
  /** The sent statement that the line corrects. */
  refers_to: statementIdField.nullable(),
})
export type StatementLine = z.infer<typeof statementLineSchema>

/** Statements are computed, so the list is filtered and sorted without SQL; its file has a row for each line. */
export const statementFields = defineFields({
  id: { kind: 'count', label: 'ID', row: statementIdField },
  /** 2026-11-0042: the agency's month of sending, and the place in it. Null until it is sent. */
  number: { kind: 'text', label: 'Number', row: z.string().nullable(), column: { width: 128 } },
  /** The client who was billed, with the name at that time; until it is sent, the campaign's. */
  client: {
    kind: 'custom',
    label: 'Client',
    row: z.object({ id: idField, name: z.string() }),
    column: { pinned: 'start' },
    sort: 'client.name',
  },
  campaign: {
    kind: 'custom',
    label: 'Campaign',
    row: z.object({ id: idField, name: z.string(), archived: flagField }),
    column: true,
    sort: 'campaign.name',
  },
  /** The first and the last day of its cycle. */
  from: { kind: 'date', label: 'Cycle', row: z.string(), column: { width: 194, telling: true }, sort: true },
  to: { kind: 'date', label: 'To', row: z.string() },
  total: { kind: 'money', label: 'Total', row: z.number(), column: { width: 112, telling: true } },
  state: { kind: 'custom', label: 'State', row: z.enum(statementStates), column: { width: 116 } },
  /** Numbers of lines. */
  billed: { kind: 'custom', label: 'Billed', column: { width: 60 } },
  not_billed: { kind: 'custom', label: 'Not billed', column: { width: 82 } },
  corrections: { kind: 'custom', label: 'Corrections', column: { width: 90 } },
  lines: { kind: 'custom', label: 'Lines', row: z.array(statementLineSchema) },
  /** The agency's day of sending. */
  issued_on: { kind: 'date', label: 'Issued', row: z.string().nullable() },
  due_on: { kind: 'date', label: 'Due', row: z.string().nullable(), column: { width: 104 } },
  /** The last time that it was mailed, and to whom. */
  mailed_at: { kind: 'instant', label: 'Emailed', row: textInstantField.nullable() },
  mailed_to: { kind: 'custom', label: 'Emailed to', row: z.array(z.string()) },
  /** When a person outside the agency first read it. */
  opened_at: { kind: 'instant', label: 'Opened', row: textInstantField.nullable() },
  paid_on: { kind: 'date', label: 'Paid', row: z.string().nullable() },
  paid_note: { kind: 'text', label: 'Payment note', row: z.string().nullable() },
  /** When its link closes; null while it has none. */
  expires_at: { kind: 'instant', label: 'Link until', row: textInstantField.nullable() },
})

/** Cycles whose last day is this day or later, and before that day. */
const cycleEndFilters = {
  cycle_ends_from: byQuery(queryDate, { label: 'Cycle ends from' }),
  cycle_ends_before: byQuery(queryDate, { label: 'Cycle ends before' }),
}

export const statementFilters = {
  campaign_ids: byIds({ label: 'Campaign' }),
  client_ids: byIds({ label: 'Client' }),
  /** Any of these. */
  state: byAnyOf(queryAnyOf(statementStates), { label: 'State' }),
  ...cycleEndFilters,
}
