import { z } from 'zod'
import { addDays, type CalendarDay, daysBetween } from '#contract/days.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getRowShape } from '#contract/field-definitions.ts'
import { idField } from '#contract/fields.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { canManageBilling } from '#domains/campaigns/terms/contract.ts'
import { leadTypes } from '#domains/leads/labels.ts'
import { daysPerCampaign, statementFields, statementFilters, statementIdField } from './fields.ts'

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

const statementSchema = z.object(getRowShape(statementFields))
export type Statement = z.infer<typeof statementSchema>

/** A lead of a line, if the reader may see it. */
const statementLeadSchema = z.object({
  id: idField,
  name: z.string().nullable(),
  type: z.enum(leadTypes),
  /** Its day in the agency's zone. */
  date: z.string(),
})

/** Computed: filtered and sorted without SQL (docs/decisions/025-lists-described-once.md). */
const pagedStatements = pagedFields(statementFields, {
  filters: statementFilters,
  sorts: ['from', 'campaign.name'],
  sort: 'from',
  order: 'desc',
  perPage: 50,
})
export type StatementListQuery = z.output<typeof pagedStatements.query>

const statementParams = {
  id: z.coerce.number('Not a statement').pipe(statementIdField.max(maxStatementId, 'Not a statement')),
}

export const statementsContract = {
  list: endpoint('GET /statements', {
    allow: canManageBilling,
    reads: ['statement'],
    row: 'statement',
    description:
      'One for each campaign and cycle, from the cycle of the campaign’s start, or of its first terms, to today’s. An open one follows the leads; one that was sent is frozen, and what changes later is a line of the next open one.',
    ...pagedStatements,
  }),
  csv: exportEndpoint('GET /statements/export', {
    allow: canManageBilling,
    query: pagedStatements.query,
    file: 'statements.csv',
  }),
  get: endpoint('GET /statements/:id', {
    allow: canManageBilling,
    reads: ['statement'],
    description: 'One statement, with the leads that its lines name.',
    params: statementParams,
    response: statementSchema.extend({ leads: z.array(statementLeadSchema) }),
  }),
  send: endpoint('POST /statements/:id/send', {
    allow: canManageBilling,
    changes: ['statement'],
    row: 'statement',
    description: 'Freezes the statement of a cycle that has ended.',
    params: statementParams,
    response: statementSchema,
    confirm: 'Are you sure to send this statement? Its lines cannot be changed afterwards.',
    success: 'Statement was sent',
  }),
}
