import { and, asc, isNull, sql } from 'drizzle-orm'
import { implement } from '#server/implement.ts'
import { withTheirCampaigns } from '#server/scope.ts'
import { clients as contract } from './contract.ts'
import { clients } from './table.ts'
import { timezones } from './words.ts'

export const clientsCalls = implement(contract, {
  list: ({ db, me }) =>
    db
      .select({ id: clients.id, name: clients.name })
      .from(clients)
      .where(and(isNull(clients.deleted_at), withTheirCampaigns(me, clients.id)))
      .orderBy(asc(sql`lower(${clients.name})`), clients.id),

  timezones: () => timezones,
})
