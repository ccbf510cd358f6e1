import { sql } from 'drizzle-orm'
import { implementContract } from '#domains/app-context.ts'
import { homeContract } from '../contract.ts'
import { homeVisitsTable } from '../schema.ts'
import { readHomeFigures } from './queries.ts'

export const homeHandlers = implementContract(homeContract, {
  figures: ({ db, me, context }) => readHomeFigures(db, me, context.settings.AGENCY_TIMEZONE),

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
