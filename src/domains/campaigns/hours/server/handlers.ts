import { and, eq } from 'drizzle-orm'
import { difference, record } from '#core/audit/write-audit.ts'
import { conflict, notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import type { Schedule } from '#domains/campaigns/schedule.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { hours as contract } from '../contract.ts'

export const workingHoursCalls = implement(contract, {
  read: async ({ db, me, params }) => {
    const [hours] = await db.select(columns).from(campaigns).where(visible(me, params.id))
    if (!hours) throw notFound()
    return hours
  },

  save: ({ db, me, params, body, actor }) =>
    db.transaction(async (tx) => {
      const [row] = await tx.select(columns).from(campaigns).where(visible(me, params.id)).for('update')
      if (!row) throw notFound()
      const { version } = row
      const before = { timezone: row.timezone, schedule: inOrder(row.schedule) }
      const after = { timezone: body.timezone, schedule: inOrder(body.schedule) }
      if (Object.keys(difference(before, after).after).length === 0) return row
      if (body.version !== undefined && body.version !== version)
        throw conflict('Somebody else has changed these hours meanwhile', { hours: row })
      const [saved] = await tx
        .update(campaigns)
        .set({ ...after, hours_version: version + 1 })
        .where(eq(campaigns.id, params.id))
        .returning(columns)
      await record(tx, actor, { kind: 'campaign', rowId: params.id, before, after })
      return saved!
    }),
})

const columns = { timezone: campaigns.timezone, schedule: campaigns.schedule, version: campaigns.hours_version }
/** Days by their number, each written the same way: what only stands in another order is no change. */
const inOrder = (days: Schedule): Schedule =>
  days
    .toSorted((a, b) => a.day - b.day)
    .map(({ enabled, day, startTime, endTime }) => ({ enabled, day, startTime, endTime }))
const visible = (me: Me, id: number) => and(eq(campaigns.id, id), inTheirCampaigns(me, campaigns.id))
