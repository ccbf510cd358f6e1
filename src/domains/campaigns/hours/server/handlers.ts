import { eq, sql } from 'drizzle-orm'
import { diffFields, writeAudit } from '#core/audit/write-audit.ts'
import { isStale, staleVersionError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import type { WorkingSchedule } from '#domains/campaigns/schedule.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { requireCampaign } from '#domains/campaigns/server/require-campaign.ts'
import { workingHoursContract } from '../contract.ts'

export const workingHoursHandlers = implementContract(workingHoursContract, {
  read: async ({ db, me, params }) => toWorkingHours(await requireCampaign(db, me, params.id)),

  save: ({ db, me, params, body, actor }) =>
    db.transaction(async (tx) => {
      const campaign = await requireCampaign(tx, me, params.id, { lock: 'update' })
      const row = toWorkingHours(campaign)
      const { version } = row
      const before = { timezone: row.timezone, schedule: sortScheduleDays(row.schedule) }
      const after = { timezone: body.timezone, schedule: sortScheduleDays(body.schedule) }
      const isUnchanged = Object.keys(diffFields(before, after).after).length === 0
      if (isUnchanged && campaign.hours_saved_at) return row
      if (isStale(body.version, version))
        throw staleVersionError(workingHoursContract.save, 'Someone else has changed these hours', row)
      const [saved] = await tx
        .update(campaignsTable)
        .set({ ...after, hours_version: isUnchanged ? version : version + 1, hours_saved_at: sql`now()` })
        .where(eq(campaignsTable.id, params.id))
        .returning()
      await writeAudit(tx, actor, {
        kind: 'campaign',
        rowId: params.id,
        before: { ...before, hours_saved_at: campaign.hours_saved_at },
        after: { ...after, hours_saved_at: saved!.hours_saved_at },
      })
      return toWorkingHours(saved!)
    }),
})

const toWorkingHours = ({ timezone, schedule, hours_version }: typeof campaignsTable.$inferSelect) => ({
  timezone,
  schedule,
  version: hours_version,
})
/** Returns the days sorted and normalized, so that a different order does not count as a change. */
const sortScheduleDays = (days: WorkingSchedule): WorkingSchedule =>
  days
    .toSorted((a, b) => a.day - b.day)
    .map(({ enabled, day, startTime, endTime }) => ({ enabled, day, startTime, endTime }))
