import { and, eq, sql } from 'drizzle-orm'
import { getToday } from '#contract/days.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { sortDirection } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { conflictError, notFoundError, validationError } from '#core/http/errors.ts'
import { usersTable } from '#domains/access/schema.ts'
import { implementContract } from '#domains/app-context.ts'
import { inactiveClientMessage, isClientActive, lockWholeClient, requireWholeClient } from '#domains/clients/public.ts'
import { stopEmails } from '#domains/messages/public.ts'
import { clientReportsContract } from '../contract.ts'
import { clientReportsTable, scheduledReportsTable } from '../schema.ts'
import { keepCampaignDays } from './facts.ts'
import { readReportNumbers } from './report.ts'
import { buildReportUrl, createReport, findReportByKey, reportAuditKind } from './report-keys.ts'
import { getEmailKeyStart } from './send-report.ts'
import { serveReport } from './serve-report.ts'

export const clientReportsHandlers = implementContract(clientReportsContract, {
  list: async ({ db, me, params, query }) => {
    await requireWholeClient(db, me, params.id)
    const theirs = eq(clientReportsTable.client_id, params.id)
    const reports = db
      .select({
        id: clientReportsTable.id,
        period: clientReportsTable.period,
        from: clientReportsTable.from,
        to: clientReportsTable.to,
        created_at: clientReportsTable.created_at,
        created_by: usersTable.username,
        expires_at: clientReportsTable.expires_at,
        revoked_at: clientReportsTable.revoked_at,
        opened_at: clientReportsTable.opened_at,
      })
      .from(clientReportsTable)
      .leftJoin(usersTable, eq(usersTable.id, clientReportsTable.created_by))
      .where(theirs)
      .orderBy(sortDirection(query.order)(clientReportsTable.id))
    return readPage(reports, db.$count(clientReportsTable, theirs), query)
  },

  create: ({ db, me, params, body, actor, context }) =>
    db.transaction(async (tx) => {
      await lockWholeClient(tx, me, params.id)
      if (!(await isClientActive(tx, params.id))) throw conflictError(inactiveClientMessage)
      const asked = { clientId: params.id, period: body.period, day: body.from }
      const request = await keepCampaignDays(tx, asked, context.settings.AGENCY_TIMEZONE)
      const numbers = await readReportNumbers(tx, context.settings, request)
      if (!numbers) throw notFoundError()
      const { from, to } = numbers
      if (from > getToday(context.settings.AGENCY_TIMEZONE))
        throw validationError({ from: ['This period has not begun: pick a day up to today'] })
      const made = await createReport(tx, actor, { ...request, from, to })
      return { ...made, url: buildReportUrl(context.settings.PUBLIC_URL, made.key), period: body.period, from, to }
    }),

  revoke: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const [report] = await tx
        .select({ client_id: clientReportsTable.client_id, revoked_at: clientReportsTable.revoked_at })
        .from(clientReportsTable)
        .where(eq(clientReportsTable.id, params.id))
        .for('update')
      if (!report) throw notFoundError()
      await requireWholeClient(tx, me, report.client_id)
      if (report.revoked_at) return
      await tx.update(clientReportsTable).set({ revoked_at: sql`now()` }).where(eq(clientReportsTable.id, params.id))
      const [scheduled] = await tx
        .select()
        .from(scheduledReportsTable)
        .where(
          and(eq(scheduledReportsTable.client_id, report.client_id), eq(scheduledReportsTable.report_id, params.id)),
        )
      if (scheduled)
        await stopEmails(tx, {
          kind: 'report',
          record_id: report.client_id,
          keyStart: getEmailKeyStart(scheduled),
          reason: 'closed',
        })
      await writeAudit(tx, actor, {
        kind: reportAuditKind,
        rowId: params.id,
        before: { client_id: report.client_id },
        after: null,
      })
    }),

  ...serveReport(({ db }, { key }: { key: string }) => findReportByKey(db, key)),
})
