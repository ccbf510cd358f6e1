import { asc } from 'drizzle-orm'
import { getToday } from '#contract/days.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { CsvCell } from '#core/csv/csv.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import { conflictError, isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { readBillingRecipients } from '#domains/clients/public.ts'
import { toCents, toDollars } from '../../cents.ts'
import { parseStatementId, statementsContract } from '../contract.ts'
import type { StatementLine } from '../fields.ts'
import { lineKindTitles, statementMessages, statementStateTitles } from '../labels.ts'
import type { ListedStatement } from '../list/contract.ts'
import { statementsTable } from '../schema.ts'
import { billedCampaignsCondition } from './billed-campaigns.ts'
import { readDocument } from './document.ts'
import { queueStatementEmails } from './mail-statement.ts'
import {
  isStatement,
  readCampaignStatements,
  readStatement,
  readStatementLeads,
  readStatementSums,
  readStatementsPage,
} from './queries.ts'
import { readBatch, sendBatch } from './send-batch.ts'
import { findRecipients, sendStatement, statementAuditKind } from './send-statement.ts'
import {
  buildStatementUrl,
  closeStatementKey,
  createStatementKey,
  findStatementByKey,
  readStatementKey,
} from './statement-keys.ts'
import { readUndeliveredTo } from './undelivered.ts'

type Call = Pick<EndpointCall<unknown>, 'context'> & { me: CurrentUser }
const toReader = ({ me, context }: Call) => ({ me, zone: context.settings.AGENCY_TIMEZONE })

export const statementsHandlers = implementContract(statementsContract, {
  list: (call) => readStatementsPage(call.db, toReader(call), call.query),

  sums: (call) => readStatementSums(call.db, toReader(call), call.query),

  csv: async (call) => {
    const { db, me, query } = call
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
        toCsvRows(
          await readCampaignStatements(tx, toReader(call), { ...query, campaign_ids: found.map(({ id }) => id) }),
        ),
    })
  },

  batch: async (call) => {
    const found = await readBatch({ ...toReader(call), context: call.context }, call.query)
    const statements = found.filter(({ reason }) => reason === null)
    return {
      statements: statements.map(({ id, campaign, from, to, total, recipients }) => ({
        id,
        client: campaign.client.name,
        campaign: campaign.name,
        archived: campaign.archived ? (1 as const) : (0 as const),
        from,
        to,
        total,
        recipients,
      })),
      total: toDollars(statements.reduce((sum, { total }) => sum + toCents(total), 0)),
      refused: found.flatMap(({ id, campaign, reason }) =>
        reason === null ? [] : [{ id, reason, client: campaign.client.name, campaign: campaign.name }],
      ),
    }
  },

  sendBatch: (call) => sendBatch({ ...toReader(call), actor: call.actor, context: call.context }, call.body),

  get: async (call) => {
    const { db, me, context, params } = call
    const { campaignId } = parseStatementId(params.id)
    await requireCampaign(db, me, campaignId)
    const reader = toReader(call)
    const statement = await readStatement(db, reader.zone, params.id)
    if (!statement) throw notFoundError()
    const { client } = statement
    const recipients = (await readBillingRecipients(db, [client.id])).get(client.id) // of a removed client none
    const key = await readStatementKey(db, context.secrets, params.id)
    return {
      ...statement,
      leads: await readStatementLeads(db, reader, statement),
      document: await readDocument(db, context.settings, statement),
      client_removed: recipients ? (0 as const) : (1 as const),
      recipients: recipients ?? [],
      undelivered: await readUndeliveredTo(db, statement),
      url: key && buildStatementUrl(context.settings.PUBLIC_URL, key),
    }
  },

  send: ({ db, me, context, actor, params, body }) =>
    runTransaction(db, (tx) =>
      sendStatement(tx, { me, actor, context, zone: context.settings.AGENCY_TIMEZONE }, params.id, body),
    ),

  mail: (call) =>
    changeSentStatement(call, async (tx) => {
      const { context, params, body } = call
      const statement = await readStatement(tx, context.settings.AGENCY_TIMEZONE, params.id)
      const to = await findRecipients(tx, statement!.client.id, body.to) // it is locked
      if ((await readStatementKey(tx, context.secrets, params.id)) === null)
        throw conflictError(statementMessages.noLink)
      await queueStatementEmails(tx, context, params.id, to)
      return { mailed_to: { before: null, after: to } }
    }),

  paid: (call) =>
    changeSentStatement(call, async (tx, before) => {
      const { params, body, context } = call
      const { on } = body
      if (on !== null && on > getToday(context.settings.AGENCY_TIMEZONE))
        throw validationError({ on: ['This day has not come yet'] })
      if (isStale(body.replaces, before.paid_on)) {
        const now = await readStatement(tx, context.settings.AGENCY_TIMEZONE, params.id)
        throw staleVersionError(statementsContract.paid, 'Someone else has changed this payment', now!) // it is locked
      }
      const note = on === null ? null : body.note
      await tx.update(statementsTable).set({ paid_on: on, paid_note: note }).where(isStatement(params.id))
      return { paid_on: { before: before.paid_on, after: on }, paid_note: { before: before.paid_note, after: note } }
    }),

  newKey: (call) =>
    runTransaction(call.db, async (tx) => {
      const { context, params, actor } = call
      await lockSentStatement(tx, call.me, params.id)
      await closeStatementKey(tx, params.id)
      const { key, expires_at } = await createStatementKey(tx, context.secrets, params.id)
      if ((await findStatementByKey(tx, key)) === null) throw conflictError(statementMessages.removedClient)
      await writeAudit(tx, actor, { ...describeLink(params.id), before: null, after: { statement: params.id } })
      return { key, url: buildStatementUrl(context.settings.PUBLIC_URL, key), expires_at }
    }),

  closeKey: (call) =>
    runTransaction(call.db, async (tx) => {
      const { params, actor } = call
      await lockSentStatement(tx, call.me, params.id)
      if (await closeStatementKey(tx, params.id))
        await writeAudit(tx, actor, { ...describeLink(params.id), before: { statement: params.id }, after: null })
    }),
})

const describeLink = (id: number) => ({ kind: 'statement link', rowId: parseStatementId(id).campaignId })

/** Locks and returns a sent statement. Throws 404 for a cycle that this person does not see, and 409 before it is sent. */
async function lockSentStatement(tx: Tx, me: CurrentUser, id: number) {
  await requireCampaign(tx, me, parseStatementId(id).campaignId)
  const [found] = await tx.select().from(statementsTable).where(isStatement(id)).for('update')
  if (!found) throw conflictError('This statement was not sent yet')
  return found
}

type Changes = Record<string, { before: unknown; after: unknown }>
type ChangeCall = Pick<EndpointCall<typeof statementsContract.paid>, 'db' | 'me' | 'actor' | 'params' | 'context'>

/** Changes a sent statement, with an entry in the audit log, and returns it. */
async function changeSentStatement(
  { db, me, actor, params, context }: ChangeCall,
  change: (tx: Tx, before: typeof statementsTable.$inferSelect) => Promise<Changes>,
) {
  return runTransaction(db, async (tx) => {
    const before = await lockSentStatement(tx, me, params.id)
    const changes = Object.entries(await change(tx, before))
    await writeAudit(tx, actor, {
      kind: statementAuditKind,
      rowId: before.campaign_id,
      before: { statement: params.id, ...Object.fromEntries(changes.map(([name, one]) => [name, one.before])) },
      after: { statement: params.id, ...Object.fromEntries(changes.map(([name, one]) => [name, one.after])) },
    })
    const changed = await readStatement(tx, context.settings.AGENCY_TIMEZONE, params.id)
    return changed! // it is locked
  })
}

/** A line of a statement, for accounting programs. */
type StatementCsvRow = { statement: Pick<ListedStatement, CsvField>; line: StatementLine }
type CsvField = 'id' | 'number' | 'client' | 'campaign' | 'from' | 'to' | 'state' | 'issued_on' | 'due_on' | 'paid_on'

const toCsvRows = (statements: Awaited<ReturnType<typeof readCampaignStatements>>): StatementCsvRow[] =>
  statements.flatMap((statement) => statement.lines.map((line) => ({ statement, line })))

const statementCsvColumns: { title: string; cell: (row: StatementCsvRow) => CsvCell }[] = [
  { title: 'Statement', cell: ({ statement }) => statement.id },
  { title: 'Number', cell: ({ statement }) => statement.number },
  { title: 'Client', cell: ({ statement }) => statement.client.name },
  { title: 'Campaign ID', cell: ({ statement }) => statement.campaign.id },
  { title: 'Campaign', cell: ({ statement }) => statement.campaign.name },
  { title: 'From', cell: ({ statement }) => statement.from },
  { title: 'To', cell: ({ statement }) => statement.to },
  { title: 'State', cell: ({ statement }) => statementStateTitles[statement.state] },
  { title: 'Issued', cell: ({ statement }) => statement.issued_on },
  { title: 'Due', cell: ({ statement }) => statement.due_on },
  { title: 'Paid', cell: ({ statement }) => statement.paid_on },
  { title: 'Kind', cell: ({ line }) => lineKindTitles[line.kind] },
  { title: 'Lead', cell: ({ line }) => line.lead_id },
  { title: 'Reason', cell: ({ line }) => line.because },
  {
    title: 'Corrects',
    cell: ({ line }) => line.refers_to && `Statement from ${parseStatementId(line.refers_to).from}`,
  },
  { title: 'Amount', cell: ({ line }) => line.amount.toFixed(2) },
]
