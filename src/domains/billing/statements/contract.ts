import { z } from 'zod'
import { addDays, type CalendarDay, daysBetween } from '#contract/days.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, queryIds, queryOneOf } from '#contract/fields.ts'
import { exportEndpoint, pagedQuery } from '#contract/paged.ts'
import { leadTypes } from '#domains/leads/labels.ts'
import { canManageBilling } from '../terms/contract.ts'
import { lineKinds, statementStates } from './labels.ts'

/**
 * A statement's number encodes its campaign and first day, because open statements are computed and have no row. A date
 * field accepts 1900 to 2099, which is fewer than 100,000 days.
 */
export const firstNumberedDay: CalendarDay = '1900-01-01'
const daysPerCampaign = 100_000
export const toStatementId = (campaignId: number, from: CalendarDay) =>
  campaignId * daysPerCampaign + daysBetween(firstNumberedDay, from)
export const parseStatementId = (id: number): { campaignId: number; from: CalendarDay } => ({
  campaignId: Math.floor(id / daysPerCampaign),
  from: addDays(firstNumberedDay, id % daysPerCampaign),
})
const maxStatementId = toStatementId(2_147_483_647, '2099-12-31')
const statementIdField = z.int('Not a statement').min(daysPerCampaign, 'Not a statement')

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

const statementSchema = z.object({
  id: statementIdField,
  campaign: z.object({ id: idField, name: z.string() }),
  /** The first and the last day of its cycle. */
  from: z.string(),
  to: z.string(),
  state: z.enum(statementStates),
  total: z.number(),
  lines: z.array(statementLineSchema),
})
export type Statement = z.infer<typeof statementSchema>

/** A lead of a line, if the reader may see it. */
const statementLeadSchema = z.object({
  id: idField,
  name: z.string().nullable(),
  type: z.enum(leadTypes),
  /** Its day in the agency's zone. */
  date: z.string(),
})

const pagedStatements = pagedQuery({
  row: statementSchema,
  sorts: ['from', 'campaign.name'],
  sort: 'from',
  order: 'desc',
  perPage: 50,
  filters: { campaign_ids: queryIds, state: queryOneOf(statementStates) },
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
