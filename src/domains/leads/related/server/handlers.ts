import { type SQL, sql } from 'drizzle-orm'
import { forbiddenError } from '#core/http/errors.ts'
import { JsonText } from '#core/http/json-text.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { readVisibleLead } from '#domains/leads/history/server/queries.ts'
import type { LeadSelection } from '#domains/leads/list/server/plan.ts'
import { readLeadsPage } from '#domains/leads/list/server/queries.ts'
import { duplicateLeadCondition } from '#domains/leads/model/duplicates.ts'
import { assertReadableQuery } from '#domains/leads/model/filter.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { readLeadJson, toLeadReader } from '#domains/leads/model/serializer.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import { canSeeAcrossCampaigns, relatedLeadsContract } from '../contract.ts'
import { readRelatedPage } from './queries.ts'

export const relatedLeadsHandlers = implementContract(relatedLeadsContract, {
  ofLead: async (call) => {
    const { db, me, params, query } = call
    if (query.global && !canSeeAcrossCampaigns(me)) throw forbiddenError()
    assertReadableQuery(me, query)
    const reader = toLeadReader(call)
    const base = await readVisibleLead(db, me, params.id)
    const page = await readRelatedPage(db, reader, base, query)
    return new JsonText(`{"lead":${await readLeadJson(db, reader, base)},${page.slice(1)}`)
  },

  everywhere: async (call) => {
    assertReadableQuery(call.me, call.query)
    return new JsonText(await readLeadsPage(call.db, toLeadReader(call), selectAcrossCampaigns(call.me), call.query))
  },
})

/**
 * People who see every campaign need only the stored flags. For anyone else the other lead must be visible too; it has the same
 * phone or email, so it is flagged as well.
 */
function selectAcrossCampaigns(me: CurrentUser): LeadSelection {
  if (me.campaignIds === null) return { where: duplicateLeadCondition, readsRows: false, sums: null }
  const theirs = sql`${duplicateLeadCondition} and ${visibleLeadsCondition(me)}`
  const twice = (key: SQL) =>
    sql`${key} in (select ${key} from ${leadsTable} where ${theirs} group by ${key} having count(*) > 1)`
  return {
    where: sql`${theirs} and (${twice(sql`${leadsTable.phone_key}`)} or ${twice(sql`${leadsTable.email_key}`)})`,
    readsRows: true,
    sums: null,
  }
}
