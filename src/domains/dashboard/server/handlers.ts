import { eq, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { implementContract } from '#domains/app-context.ts'
import { homeContract } from '../contract.ts'
import { homeVisitsTable, putOffStepsTable } from '../schema.ts'
import { readHomeFigures } from './queries.ts'
import { readSetupSteps } from './setup-steps.ts'

export const homeHandlers = implementContract(homeContract, {
  figures: ({ db, me, context }) => readHomeFigures(db, me, context.settings.AGENCY_TIMEZONE),

  steps: ({ db, context }) => readSetupSteps(db, context),

  putOff: ({ db, me, params: { key }, body: { later }, context, actor }) =>
    db.transaction(async (tx) => {
      const isKey = eq(putOffStepsTable.key, key)
      const changed = later
        ? await tx.insert(putOffStepsTable).values({ key, put_off_by: me.id }).onConflictDoNothing().returning()
        : await tx.delete(putOffStepsTable).where(isKey).returning()
      if (changed.length > 0)
        await writeAudit(tx, actor, {
          kind: 'setup step',
          rowId: 0,
          before: { [key]: !later },
          after: { [key]: later },
        })
      return readSetupSteps(tx, context)
    }),

  visit: async ({ db, me }) => {
    const { seen_at, last_visit_at } = homeVisitsTable
    const [visit] = await db
      .insert(homeVisitsTable)
      .values({ user_id: me.id })
      .onConflictDoUpdate({
        target: homeVisitsTable.user_id,
        set: {
          seen_at: sql`now()`,
          last_visit_at: sql`case when ${seen_at} < now() - interval '30 minutes' then ${seen_at} else ${last_visit_at} end`,
        },
      })
      .returning({ last_visit_at })
    return visit! // just written
  },
})
