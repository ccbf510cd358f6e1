import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { getRowShape } from '#contract/field-definitions.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { canManageBilling } from '#domains/campaigns/terms/contract.ts'
import { statementFields, statementFilters } from '../fields.ts'

export const statementSchema = z.object(getRowShape(statementFields))
export type ListedStatement = z.infer<typeof statementSchema>

/** Computed: filtered and sorted without SQL (docs/decisions/025-lists-described-once.md). */
const pagedStatements = pagedFields(statementFields, {
  filters: statementFilters,
  sorts: ['from', 'campaign.name', 'client.name'],
  sort: 'from',
  order: 'desc',
  perPage: 50,
})
export type StatementListQuery = z.output<typeof pagedStatements.query>

/** Apart from the other calls, because the page of a campaign needs no more. */
export const statementListContract = {
  list: endpoint('GET /statements', {
    allow: canManageBilling,
    reads: ['statement'],
    row: 'statement',
    description:
      'One for each campaign and cycle, from the cycle of the campaign’s start, or of its first terms, to today’s; of one that was moved in, from the cycle of the move. An open one follows the leads; one that was sent is frozen, and what changes later is a line of the first open one after all that were sent; an ended one that bills nothing is passed over.',
    ...pagedStatements,
  }),
  csv: exportEndpoint('GET /statements/export', {
    allow: canManageBilling,
    query: pagedStatements.query,
    file: 'statements.csv',
  }),
}
