import { and, eq } from 'drizzle-orm'
import type { CalendarDay } from '#contract/days.ts'
import type { Tx } from '#core/db/db.ts'
import { readAgencyBrand, readEmailBrand, readReplyHeaders } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { isClientActive, readClientRecipients } from '#domains/clients/public.ts'
import { drawDocument } from '#domains/documents/public.ts'
import { queueEmail } from '#domains/messages/public.ts'
import type { ReportNumbers } from '../contract.ts'
import { findDueSlot, isHandled, listScheduledSlots, type ScheduledSlot } from '../model/schedule.ts'
import { reportSchedulesTable, scheduledReportsTable } from '../schema.ts'
import { keepCampaignDays, type ReportRequest } from './facts.ts'
import { hasWeeksPicture, renderReportEmail, weeksPictureId } from './ReportEmail.tsx'
import { readReportNumbers } from './report.ts'
import { buildReportUrl, createReport } from './report-keys.ts'
import { describeReportPdf } from './report-pdf.ts'
import {
  findSchedule,
  listScheduledClients,
  readHandledDay,
  readScheduleContext,
  toActiveSchedule,
} from './schedules.ts'
import { buildUnsubscribeUrl } from './unsubscribe.ts'
import { drawWeeksPicture } from './weeks-picture.ts'

const noPerson = { me: null }

/** Sends all clients' due reports, even late, each once. */
export async function sendDueReports(context: AppContext, now = new Date()): Promise<void> {
  for (const clientId of await listScheduledClients(context.db)) {
    if (context.jobs.stopping.aborted) return
    try {
      const due = await findDueReport(context, clientId, now)
      if (due) await sendScheduledReport(context, clientId, due)
    } catch (error) {
      // A failure for one client does not affect the others; the next run tries again.
      context.log.error({ err: error, client_id: clientId }, 'a scheduled report could not be sent')
    }
  }
}

type ScheduledPeriod = { client_id: number; every: ReportRequest['period']; from: CalendarDay }
/** How the keys of the emails begin that a scheduled report is sent with. */
export const getEmailKeyStart = ({ client_id, every, from }: ScheduledPeriod) => `report:${client_id}:${every}:${from}:`
const isPeriod = ({ client_id, every, from }: ScheduledPeriod) =>
  and(
    eq(scheduledReportsTable.client_id, client_id),
    eq(scheduledReportsTable.every, every),
    eq(scheduledReportsTable.from, from),
  )

type DueReport = { every: ReportRequest['period']; slot: ScheduledSlot; dueDay: number; skipEmpty: boolean }

async function findDueReport({ db, settings }: AppContext, clientId: number, now: Date): Promise<DueReport | null> {
  const stored = await findSchedule(db, clientId)
  const schedule = toActiveSchedule(stored)
  if (!stored || !schedule) return null
  const scheduled = await readScheduleContext(db, settings, clientId)
  const slots = listScheduledSlots(schedule, scheduled, now)
  const slot = findDueSlot(slots, now, stored.set_at)
  if (!slot || isHandled(slot, await readHandledDay(db, clientId, schedule.every))) return null
  if (!(await isClientActive(db, clientId))) return null // the link would be closed
  return { every: schedule.every, slot, dueDay: scheduled.dueDay, skipEmpty: stored.skip_empty }
}

/** Claims the period in the transaction that queues its emails: the commit stores both or neither. */
async function sendScheduledReport(
  context: AppContext,
  clientId: number,
  { every, slot, dueDay, skipEmpty }: DueReport,
) {
  const { db, settings } = context
  const period = { client_id: clientId, every, from: slot.span.from }
  const asked = { clientId, period: every, day: slot.span.from }
  const request = await keepCampaignDays(db, asked, settings.AGENCY_TIMEZONE, dueDay)
  const report = await readReportNumbers(db, settings, request)
  if (!report) return
  const recipients = await readClientRecipients(db, clientId)
  // Of a client without campaigns, or with archived ones alone, it would be empty every time.
  const isOver = report.campaigns.length === 0
  const isSent = recipients.length > 0 && !((skipEmpty || isOver) && isEmptyReport(report))
  const pdf = isSent ? await renderPdfOf(context, report) : null
  await db.transaction(async (tx) => {
    const [schedule] = await tx
      .select({ every: reportSchedulesTable.every })
      .from(reportSchedulesTable)
      .where(eq(reportSchedulesTable.client_id, clientId))
      .for('update')
    if (schedule?.every !== every) return // ended or changed while the file was drawn
    const [claimed] = await tx.insert(scheduledReportsTable).values(period).onConflictDoNothing().returning()
    if (!claimed || !pdf) return
    const made = await createReport(tx, noPerson, { ...request, from: report.from, to: report.to })
    await tx.update(scheduledReportsTable).set({ report_id: made.id }).where(isPeriod(period))
    const unsubscribeUrl = buildUnsubscribeUrl(context, clientId)
    for (const to of recipients)
      await queueReportEmail(tx, context, {
        to,
        report,
        pdf,
        key: made.key,
        unsubscribeUrl,
        clientId,
        dedupeKey: getEmailKeyStart(period) + to.toLowerCase(),
      })
  })
}

/** The answer to a dispute stands in the report of the days on which it was decided, and in no other. */
const isEmptyReport = ({ verified, missed, disputes }: ReportNumbers) =>
  verified === 0 && missed === 0 && disputes.length === 0

export async function renderPdfOf(context: AppContext, report: ReportNumbers): Promise<Buffer> {
  const agency = await readAgencyBrand(context.db, context.settings)
  return drawDocument(context, (logo) => describeReportPdf({ ...report, agency }, logo))
}

type ReportLetter = {
  to: string
  report: ReportNumbers
  pdf: Buffer
  key: string
  unsubscribeUrl: string
  /** Of a scheduled report, not of one to look at. */
  clientId?: number
  dedupeKey?: string
}

/** Queues a report to one address, with its PDF. Mail clients show an unsubscribe button (RFC 8058). */
export async function queueReportEmail(tx: Tx, context: AppContext, letter: ReportLetter): Promise<void> {
  const { to, report, pdf, key, unsubscribeUrl, clientId, dedupeKey } = letter
  const agency = await readEmailBrand(tx, context.settings)
  const email = await renderReportEmail({
    report,
    agency,
    pageUrl: buildReportUrl(context.settings.PUBLIC_URL, key),
    unsubscribeUrl,
  })
  await queueEmail(tx, context, {
    ...email,
    to,
    kind: 'report',
    ...(clientId === undefined ? {} : { record_id: clientId, client: { id: clientId, must_be_active: true } }),
    ...(dedupeKey ? { dedupe_key: dedupeKey } : {}),
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      ...(await readReplyHeaders(tx, context.settings)),
    },
    attachments: [
      { filename: `report-${report.from}-${report.to}.pdf`, content_type: 'application/pdf', content: pdf },
      ...(hasWeeksPicture(report)
        ? [
            {
              filename: 'weeks.png',
              content_type: 'image/png',
              content: await drawWeeksPicture(report.weeks, agency.color),
              cid: weeksPictureId,
            },
          ]
        : []),
    ],
  })
}
