import { asc } from 'drizzle-orm'
import type { CsvCell } from '#core/csv/csv.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import { runTransaction } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { parseStatementId, type Statement, statementsContract } from '../contract.ts'
import type { StatementLine } from '../fields.ts'
import { lineKindTitles, statementStateTitles } from '../labels.ts'
import {
  billedCampaignsCondition,
  readCampaignStatements,
  readStatementLeads,
  readStatementsPage,
  toStatement,
} from './queries.ts'
import { readCampaignCycles, readLedgers } from './read-ledgers.ts'
import { sendStatement } from './send-statement.ts'

export const statementsHandlers = implementContract(statementsContract, {
  list: ({ db, me, context, query }) => readStatementsPage(db, { me, zone: context.settings.AGENCY_TIMEZONE }, query),

  csv: async (call) => {
    const { db, me, context, query } = call
    const reader = { me, zone: context.settings.AGENCY_TIMEZONE }
    const campaigns = db
      .select({ id: campaignsTable.id })
      .from(campaignsTable)
      .where(billedCampaignsCondition(me, query))
      .orderBy(asc(campaignsTable.name), asc(campaignsTable.id))
    return sendCsv<StatementCsvRow, { id: number }>(call, {
      name: statementsContract.csv.file,
      of: 'statements',
      rows: campaigns.getSQL(),
      columns: statementCsvColumns,
      complete: async (tx, found) =>
        toCsvRows(await readCampaignStatements(tx, reader, { ...query, campaign_ids: found.map(({ id }) => id) })),
    })
  },

  get: async ({ db, me, context, params }) => {
    const reader = { me, zone: context.settings.AGENCY_TIMEZONE }
    const { campaignId, from } = parseStatementId(params.id)
    const asked = await readCampaignCycles(db, [await requireCampaign(db, me, campaignId)], reader.zone)
    const wanted = asked.map((one) => ({ ...one, wanted: new Set([from]) }))
    const [found] = await readLedgers(db, wanted, reader.zone)
    if (!found) throw notFoundError()
    const statement = toStatement(found)
    return { ...statement, leads: await readStatementLeads(db, reader, statement) }
  },

  send: ({ db, me, context, actor, params }) =>
    runTransaction(db, (tx) => sendStatement(tx, { me, actor, zone: context.settings.AGENCY_TIMEZONE }, params.id)),
})

/** A line of a statement, for accounting programs. */
type StatementCsvRow = { statement: Statement; line: StatementLine }

const toCsvRows = (statements: Statement[]): StatementCsvRow[] =>
  statements.flatMap((statement) => statement.lines.map((line) => ({ statement, line })))

const statementCsvColumns: { title: string; cell: (row: StatementCsvRow) => CsvCell }[] = [
  { title: 'Statement', cell: ({ statement }) => statement.id },
  { title: 'Campaign ID', cell: ({ statement }) => statement.campaign.id },
  { title: 'Campaign', cell: ({ statement }) => statement.campaign.name },
  { title: 'From', cell: ({ statement }) => statement.from },
  { title: 'To', cell: ({ statement }) => statement.to },
  { title: 'State', cell: ({ statement }) => statementStateTitles[statement.state] },
  { title: 'Kind', cell: ({ line }) => lineKindTitles[line.kind] },
  { title: 'Lead', cell: ({ line }) => line.lead_id },
  { title: 'Because', cell: ({ line }) => line.because },
  {
    title: 'Corrects',
    cell: ({ line }) => line.refers_to && `Statement from ${parseStatementId(line.refers_to).from}`,
  },
  { title: 'Amount', cell: ({ line }) => line.amount.toFixed(2) },
]
