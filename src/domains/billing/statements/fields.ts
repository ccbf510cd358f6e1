import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { idField } from '#contract/fields.ts'
import { byChoice, byIds } from '#contract/filter-definitions.ts'
import { lineKinds, statementStates, statementStateTitles } from './labels.ts'

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
  campaign: {
    kind: 'custom',
    label: 'Campaign',
    row: z.object({ id: idField, name: z.string() }),
    column: { pinned: 'start' },
    sort: 'campaign.name',
  },
  /** The first and the last day of its cycle. */
  from: { kind: 'date', label: 'Cycle', row: z.string(), column: { width: 204, telling: true }, sort: true },
  to: { kind: 'date', label: 'To', row: z.string() },
  state: { kind: 'custom', label: 'State', row: z.enum(statementStates), column: { width: 90 } },
  /** Numbers of lines. */
  billed: { kind: 'custom', label: 'Billed', column: { width: 80 } },
  not_billed: { kind: 'custom', label: 'Not billed', column: { width: 90 } },
  corrections: { kind: 'custom', label: 'Corrections', column: { width: 100 } },
  total: { kind: 'money', label: 'Total', row: z.number(), column: { width: 120, telling: true } },
  lines: { kind: 'custom', label: 'Lines', row: z.array(statementLineSchema) },
})

export const statementFilters = {
  campaign_ids: byIds({ label: 'Campaign' }),
  state: byChoice(statementStates, statementStateTitles, { label: 'State' }),
}
