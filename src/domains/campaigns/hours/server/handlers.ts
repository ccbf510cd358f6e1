import { and, eq } from 'drizzle-orm'
import { diffFields, writeAudit } from '#core/audit/write-audit.ts'
import { notFoundError, staleVersionError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import type { WorkingSchedule } from '#domains/campaigns/schedule.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { workingHoursContract } from '../contract.ts'

export const workingHoursHandlers = implementContract(workingHoursContract, {
  read: async ({ db, me, params }) => {
    const [hours] = await db
      .select(workingHoursColumns)
      .from(campaignsTable)
      .where(buildVisibleCampaignFilter(me, params.id))
    if (!hours) throw notFoundError()
    return hours
  },

  save: ({ db, me, params, body, actor }) =>
    db.transaction(async (tx) => {
      const [row] = await tx
        .select(workingHoursColumns)
        .from(campaignsTable)
        .where(buildVisibleCampaignFilter(me, params.id))
        .for('update')
      if (!row) throw notFoundError()
      const { version } = row
      const before = { timezone: row.timezone, schedule: sortScheduleDays(row.schedule) }
      const after = { timezone: body.timezone, schedule: sortScheduleDays(body.schedule) }
      if (Object.keys(diffFields(before, after).after).length === 0) return row
      if (body.version !== undefined && body.version !== version)
        throw staleVersionError(workingHoursContract.save, 'Somebody else has changed these hours meanwhile', row)
      const [saved] = await tx
        .update(campaignsTable)
        .set({ ...after, hours_version: version + 1 })
        .where(eq(campaignsTable.id, params.id))
        .returning(workingHoursColumns)
      await writeAudit(tx, actor, { kind: 'campaign', rowId: params.id, before, after })
      return saved!
    }),
})

const workingHoursColumns = {
  timezone: campaignsTable.timezone,
  schedule: campaignsTable.schedule,
  version: campaignsTable.hours_version,
}
/** Days by their number, each written the same way: what only stands in another order is no change. */
const sortScheduleDays = (days: WorkingSchedule): WorkingSchedule =>
  days
    .toSorted((a, b) => a.day - b.day)
    .map(({ enabled, day, startTime, endTime }) => ({ enabled, day, startTime, endTime }))
const buildVisibleCampaignFilter = (me: CurrentUser, id: number) =>
  and(eq(campaignsTable.id, id), inVisibleCampaigns(me, campaignsTable.id))
