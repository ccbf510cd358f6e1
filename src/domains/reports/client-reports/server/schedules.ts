import { and, asc, eq, isNotNull, isNull, max } from 'drizzle-orm'
import type { CalendarDay } from '#contract/days.ts'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { isClientActive, readClientRecipients } from '#domains/clients/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import type { ReportScheduleRow } from '../contract.ts'
import { findNextSlot, listScheduledSlots, type ReportSchedule, type ScheduleContext } from '../model/schedule.ts'
import { reportSchedulesTable, scheduledReportsTable } from '../schema.ts'

type StoredSchedule = Pick<
  typeof reportSchedulesTable.$inferSelect,
  'every' | 'day' | 'hour' | 'skip_empty' | 'set_at' | 'version'
>
type ZoneSettings = Pick<AppSettings, 'AGENCY_TIMEZONE'>

const noSchedule = { every: null, day: 1, hour: 8, skip_empty: false, version: 0 }

export async function findSchedule(
  db: DbOrTx,
  clientId: number,
  { lock = false } = {},
): Promise<StoredSchedule | null> {
  const found = db.select().from(reportSchedulesTable).where(eq(reportSchedulesTable.client_id, clientId))
  const [stored] = await (lock ? found.for('update') : found)
  return stored ?? null
}

/** Returns the schedule if it sends anything. */
export function toActiveSchedule(stored: StoredSchedule | null): ReportSchedule | null {
  if (!stored || stored.every === null) return null
  const { every, day, hour } = stored
  return { every, day, hour }
}

/** Reads the schedule in the shape of the response, with the time of the next report. */
export async function readSchedule(
  db: DbOrTx,
  settings: ZoneSettings,
  clientId: number,
): Promise<BeforeJson<ReportScheduleRow>> {
  const stored = await findSchedule(db, clientId)
  const { every, day, hour, skip_empty, version } = stored ?? noSchedule
  const context = await readScheduleContext(db, settings, clientId)
  const active = toActiveSchedule(stored)
  const now = new Date()
  const next =
    active &&
    (await isClientActive(db, clientId)) &&
    findNextSlot(listScheduledSlots(active, context, now), now, await readHandledDay(db, clientId, active.every))
  return {
    every,
    day,
    hour,
    skip_empty: skip_empty ? 1 : 0,
    next_at: next ? next.at : null,
    timezone: context.clientZone,
    recipients: await readClientRecipients(db, clientId),
    version,
  }
}

/** A client's cycle is that of its oldest unarchived campaign. */
export async function readScheduleContext(
  db: DbOrTx,
  settings: ZoneSettings,
  clientId: number,
): Promise<ScheduleContext> {
  const [client] = await db
    .select({ timezone: clientsTable.timezone })
    .from(clientsTable)
    .where(eq(clientsTable.id, clientId))
  const [campaign] = await db
    .select({ due_date: campaignsTable.due_date })
    .from(campaignsTable)
    .where(eq(campaignsTable.client_id, clientId))
    .orderBy(asc(campaignsTable.archived), asc(campaignsTable.id))
    .limit(1)
  return {
    clientZone: client?.timezone ?? settings.AGENCY_TIMEZONE,
    agencyZone: settings.AGENCY_TIMEZONE,
    dueDay: campaign?.due_date ?? 1,
  }
}

/** Returns the first day of the last period that was sent, or skipped because it was empty. */
export async function readHandledDay(
  db: DbOrTx,
  clientId: number,
  every: ReportSchedule['every'],
): Promise<CalendarDay | null> {
  const [last] = await db
    .select({ from: max(scheduledReportsTable.from) })
    .from(scheduledReportsTable)
    .where(and(eq(scheduledReportsTable.client_id, clientId), eq(scheduledReportsTable.every, every)))
  return last?.from ?? null
}

/** Returns the ids of clients with a schedule. */
export async function listScheduledClients(db: DbOrTx): Promise<number[]> {
  const rows = await db
    .select({ id: reportSchedulesTable.client_id })
    .from(reportSchedulesTable)
    .innerJoin(clientsTable, and(eq(clientsTable.id, reportSchedulesTable.client_id), isNull(clientsTable.deleted_at)))
    .where(isNotNull(reportSchedulesTable.every))
    .orderBy(reportSchedulesTable.client_id)
  return rows.map(({ id }) => id)
}
