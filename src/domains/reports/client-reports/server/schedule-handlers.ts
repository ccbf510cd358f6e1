import { sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { conflictError, HttpError, isStale, notFoundError, staleVersionError } from '#core/http/errors.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { readEmailBrand } from '#domains/agency/public.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { inactiveClientMessage, isClientActive, lockWholeClient, requireWholeClient } from '#domains/clients/public.ts'
import { documentMessages } from '#domains/documents/labels.ts'
import { stopEmails } from '#domains/messages/public.ts'
import { reportScheduleContract } from '../contract.ts'
import { reportMessages } from '../labels.ts'
import { findEndedPeriod } from '../model/schedule.ts'
import { reportSchedulesTable } from '../schema.ts'
import { keepCampaignDays } from './facts.ts'
import { renderReportEmail } from './ReportEmail.tsx'
import { readReportNumbers } from './report.ts'
import { createReport } from './report-keys.ts'
import { findSchedule, readSchedule, readScheduleContext, toActiveSchedule } from './schedules.ts'
import { queueReportEmail, renderPdfOf } from './send-report.ts'
import { buildUnsubscribeUrl, endScheduleByKey, scheduleAuditKind, testEmailClient } from './unsubscribe.ts'

const countRequest = createRateLimit(30, documentMessages.tooMany)

export const reportScheduleHandlers = implementContract(reportScheduleContract, {
  read: async ({ db, me, params, context }) => {
    await requireWholeClient(db, me, params.id)
    return readSchedule(db, context.settings, params.id)
  },

  update: ({ db, me, params, body: { version: seen, ...body }, actor, context }) =>
    db.transaction(async (tx) => {
      await lockWholeClient(tx, me, params.id)
      const stored = await findSchedule(tx, params.id, { lock: true }) // who unsubscribes locks no client
      const version = stored?.version ?? 0
      if (isStale(seen, version))
        throw staleVersionError(
          reportScheduleContract.update,
          'Someone else has changed this schedule',
          await readSchedule(tx, context.settings, params.id),
        )
      const before = stored && { ...stored, set_at: undefined, client_id: undefined, version: undefined }
      const after = { ...body, skip_empty: body.skip_empty === 1 }
      const isSameTime = stored && (['every', 'day', 'hour'] as const).every((name) => stored[name] === after[name])
      const values = { ...after, ...(isSameTime ? {} : { set_at: sql`now()` }), version: version + 1 }
      await tx
        .insert(reportSchedulesTable)
        .values({ client_id: params.id, ...values })
        .onConflictDoUpdate({ target: reportSchedulesTable.client_id, set: values })
      if (after.every === null) await stopEmails(tx, { kind: 'report', record_id: params.id, reason: 'ended' })
      await writeAudit(tx, actor, { kind: scheduleAuditKind, rowId: params.id, before, after })
      return readSchedule(tx, context.settings, params.id)
    }),

  preview: async ({ db, me, params, context }) => {
    await requireWholeClient(db, me, params.id)
    const { report } = await readScheduledReport(db, context, params.id)
    const agency = await readEmailBrand(db, context.settings)
    const email = await renderReportEmail({ report, agency, pageUrl: null, unsubscribeUrl: null })
    return { from: report.from, to: report.to, email, report }
  },

  test: async ({ db, me, params, actor, context }) => {
    await requireWholeClient(db, me, params.id)
    if (!(await isClientActive(db, params.id))) throw conflictError(inactiveClientMessage) // the link would be closed
    const { report, request } = await readScheduledReport(db, context, params.id)
    const pdf = await renderPdfOf(context, report)
    await db.transaction(async (tx) => {
      const { key } = await createReport(tx, actor, { ...request, from: report.from, to: report.to, isTest: true })
      const unsubscribeUrl = buildUnsubscribeUrl(context, testEmailClient)
      await queueReportEmail(tx, context, { to: me.email, report, pdf, key, unsubscribeUrl })
    })
    return { message: `The report is on its way to ${me.email}` }
  },

  unsubscribe: async ({ db, params, context, actor, request }) => {
    await countRequest(context, request.ip)
    const clientId = await endScheduleByKey(db, context.secrets, { ...actor, me: null }, params.key)
    if (clientId === null) throw new HttpError(404, reportMessages.unsubscribeNotFound)
    return { message: clientId === testEmailClient ? reportMessages.testUnsubscribed : reportMessages.unsubscribed }
  },

  unsubscribePage: ({ params, context, reply }) => {
    reply
      .header('x-robots-tag', 'noindex')
      .redirect(`${context.settings.PUBLIC_URL}/report-unsubscribe/${encodeURIComponent(params.key)}`)
  },
})

/** The report that the schedule would send now: of the last period that has ended. */
async function readScheduledReport(db: DbOrTx, { settings }: AppContext, clientId: number) {
  const schedule = toActiveSchedule(await findSchedule(db, clientId))
  if (!schedule) throw conflictError('This client has no schedule: choose how often to send reports first')
  const scheduled = await readScheduleContext(db, settings, clientId)
  const span = findEndedPeriod(schedule.every, scheduled, new Date())
  const asked = { clientId, period: schedule.every, day: span.from }
  const request = await keepCampaignDays(db, asked, settings.AGENCY_TIMEZONE, scheduled.dueDay)
  const report = await readReportNumbers(db, settings, request)
  if (!report) throw notFoundError()
  return { report, request }
}
